package org.mscclj.conformance.rule;

import static org.mscclj.conformance.rule.Cases.smallWorlds;
import static org.mscclj.conformance.rule.RuleForms.ANY_RESULT;
import static org.mscclj.conformance.rule.RuleForms.REPLAYED;
import static org.mscclj.conformance.rule.RuleForms.behaviour;
import static org.mscclj.conformance.rule.RuleForms.graphs;
import static org.mscclj.conformance.rule.RuleForms.with;
import static org.mscclj.conformance.rule.Scope.over;

import java.util.List;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.channel.ChannelChecks;
import org.mscclj.conformance.rank.graph.GraphChecks;
import org.mscclj.conformance.rank.memory.MemoryChecks;
import org.mscclj.conformance.rank.order.OrderChecks;
import org.mscclj.conformance.rank.result.ResultChecks;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.spi.Feature;

/** Rules about memory of the host, and about features that backends may declare: memory, channels, graphs. */
final class FeatureRules {
    private static final String HOST_MEMORY = "spec0108_hostAllocations";

    private FeatureRules() {}

    static List<Rule> all() {
        return List.of(
                behaviour(
                                "spec1103_hostMemory",
                                "The host can access device memory directly.",
                                MemoryChecks.hostMemory())
                        .ifDeclared(Feature.HOST_MEMORY)
                        .after(List.of()),
                behaviour(
                                HOST_MEMORY,
                                "Memory of Device.allocateHost is zeros that the host sees, and is copied to"
                                        + " the device and back.",
                                MemoryChecks.hostAllocations())
                        .after(List.of()),
                Rule.required(
                                "spec0108_collectivesOnHostAllocations",
                                "Collectives read and write memory of Device.allocateHost.",
                                ANY_RESULT,
                                MemoryChecks.hostBuffers(),
                                (scope, rule) -> scope.combine(
                                        scope.usual(rule).registered(false),
                                        over(Scope.COLLECTIVES, TestCase::collective),
                                        over(smallWorlds(scope), TestCase::world)))
                        .after(with(HOST_MEMORY, "spec0107_plainBuffers", "spec0604_buffersInUseAreNotClosed")),
                Rule.required(
                                "spec1104_hostChannels",
                                "Operations of memory channels may be called from host threads.",
                                ANY_RESULT,
                                ChannelChecks.memoryChannel(),
                                Cases::neighboursOnANode)
                        .ifDeclared(Feature.HOST_CHANNELS)
                        .after(List.of()),
                Rule.required(
                                "spec1105_deviceChannels",
                                "Kernels of users may call every operation of channels.",
                                with(FindingKind.UNSUPPORTED),
                                ChannelChecks.deviceChannels(),
                                Cases::worldsOnANode)
                        .ifDeclared(Feature.DEVICE_CHANNELS)
                        .after(List.of()),
                Rule.required(
                                "spec1106_abortEndsKernelsOfUsers",
                                "An abort ends the waits of users' kernels.",
                                with(FindingKind.UNSUPPORTED),
                                ChannelChecks.deviceAbort(),
                                Cases::neighboursOnANode)
                        .ifDeclared(Feature.DEVICE_CHANNELS)
                        .after(List.of("spec1105_deviceChannels"))
                        .spoiling(),
                behaviour(
                                "spec0405_portChannelsSignalAfterTheirData",
                                "The data of a port channel is visible to a rank that has waited for a later signal.",
                                ChannelChecks.portChannel())
                        .after(List.of()),
                graphs(
                        "spec0608_graphsAreReplayedBetweenLaunches",
                        "A captured launch can be replayed any number of times, between other launches.",
                        GraphChecks.graphReplay(),
                        (scope, rule) -> scope.combine(
                                scope.usual(rule),
                                over(Scope.COLLECTIVES, TestCase::collective),
                                over(List.of(true, false), TestCase::registered))),
                graphs(
                                "spec0608_replaysKeepTheOrder",
                                "Replays and other launches of one communicator run in the order in which they"
                                        + " were made.",
                                GraphChecks.graphOrder(),
                                (scope, rule) -> List.of(scope.usual(rule).op(ReduceOp.MAX)))
                        .after(REPLAYED),
                graphs(
                                "spec0608_graphsMayHaveBranches",
                                "A graph may hold launches of several communicators, on several streams.",
                                GraphChecks.graphBranches(),
                                Cases::usualCase)
                        .after(REPLAYED),
                graphs(
                                "spec0609_graphsKeepWhatTheyUse",
                                "What a graph uses lives as long as the graph; one whose communicator is closed"
                                        + " is refused.",
                                GraphChecks.graphLife(),
                                Cases::usualCase)
                        .after(REPLAYED),
                graphs(
                                "spec0610_barriersAreReplayed",
                                "A replay of a barrier of streams has ended on no rank before all have replayed it.",
                                OrderChecks.barrierReplay(),
                                Cases::usualCase)
                        .after(with("spec0610_barriersWaitForAll", REPLAYED.getFirst())),
                graphs(
                                "spec0306_factorsAreReadByReplays",
                                "Each replay of a premul-sum reads a factor that is in memory anew.",
                                ResultChecks.factorInMemory(),
                                (scope, rule) -> OrderRules.premultipliedSums(scope, rule).stream()
                                        .map(test -> test.graph(true))
                                        .toList())
                        .after(with("spec0306_factorsMayBeInMemory", REPLAYED.getFirst())),
                graphs(
                                "spec0108_copiesOfHostAllocationsAreReplayed",
                                "Captured copies from and to memory of Device.allocateHost move what is there"
                                        + " at each replay.",
                                MemoryChecks.capturedHostCopies(),
                                Cases::usualCase)
                        .after(List.of(HOST_MEMORY, REPLAYED.getFirst())));
    }
}

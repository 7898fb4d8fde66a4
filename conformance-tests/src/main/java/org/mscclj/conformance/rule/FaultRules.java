package org.mscclj.conformance.rule;

import static org.mscclj.conformance.rule.Cases.usualCase;
import static org.mscclj.conformance.rule.RuleForms.ANY_RESULT;
import static org.mscclj.conformance.rule.RuleForms.REPLAYED;
import static org.mscclj.conformance.rule.RuleForms.graphs;
import static org.mscclj.conformance.rule.RuleForms.with;
import static org.mscclj.conformance.rule.Scope.over;

import java.util.List;
import java.util.stream.Stream;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.type.DataType;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.abort.AbortChecks;
import org.mscclj.conformance.rank.late.LateChecks;
import org.mscclj.conformance.rank.loss.LossChecks;
import org.mscclj.conformance.rank.refusal.RefusalChecks;
import org.mscclj.conformance.scenario.GroupKind;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.spi.Feature;

/** Rules about ranks that make different calls, launch late, abort, or are lost. */
final class FaultRules {
    private static final String NO_PROCESSES = "ranks are threads of one process here";

    private FaultRules() {}

    static List<Rule> all() {
        List<String> after = with("spec0607_launchesReadTheirInputAnew");
        return Stream.of(misaligned(), refusals(), differences(), delays(), aborts(), ends(), processes())
                .flatMap(List::stream)
                .map(rule -> rule.after(
                        Stream.concat(after.stream(), rule.after().stream()).toList()))
                .toList();
    }

    private static List<Rule> misaligned() {
        return List.of(
                refusal(
                        "spec0106_misalignedCollectives",
                        "A collective on a buffer that does not begin at a multiple of the size of an element"
                                + " is refused on every rank; buffers of 0 bytes begin anywhere.",
                        RefusalChecks.misalignedCollectives(Scope.COLLECTIVES)),
                refusal(
                                "spec0106_misalignedPlans",
                                "A plan on such a buffer is refused likewise.",
                                RefusalChecks.misalignedPlans())
                        .ifDeclared(Feature.PLANS),
                refusal(
                        "spec0106_misalignedPartReductions",
                        "A reduction of such a part is refused likewise, before any part is reduced.",
                        RefusalChecks.misalignedReductions()),
                refusal(
                                "spec0106_misalignedMessages",
                                "A message of elements in such a buffer is refused likewise; a message of bytes"
                                        + " lies anywhere.",
                                RefusalChecks.misalignedMessages())
                        .ifDeclared(Feature.POINT_TO_POINT),
                refusal(
                                "spec0106_misalignedChannels",
                                "Packets and words of channels that are made by hand lie at multiples of their"
                                        + " size; all else is refused. Copies go anywhere.",
                                RefusalChecks.misalignedChannels())
                        .ifDeclared(Feature.HOST_CHANNELS));
    }

    private static List<Rule> refusals() {
        return List.of(
                refusal(
                        "spec0701_argumentsOfCollectives",
                        "Every bad argument of a collective is refused, and the message says what was given and what"
                                + " is allowed.",
                        RefusalChecks.badCollectives(Scope.COLLECTIVES)),
                refusal(
                        "spec0701_sizesAndLists",
                        "Every bad size, range and list of ranks is refused likewise.",
                        RefusalChecks.badMemory()),
                refusal(
                        "spec0701_argumentsOfPartReductions",
                        "Every bad argument of a reduction of parts is refused likewise, before any part is reduced.",
                        RefusalChecks.badReductions()),
                refusal(
                        "spec0701_whatIsClosedIsRefused",
                        "Every use of a closed communicator or operation is refused likewise.",
                        RefusalChecks.closedCalls()),
                refusal(
                        "spec0701_streamsEventsAndTimes",
                        "Every bad stream, event and time to wait is refused likewise.",
                        RefusalChecks.badStreams()),
                refusal(
                                "spec0701_argumentsOfGraphs",
                                "Every bad capture and replay is refused likewise.",
                                RefusalChecks.badGraphs())
                        .ifDeclared(Feature.GRAPH_CAPTURE),
                refusal(
                                "spec0701_argumentsOfMessages",
                                "Every bad argument of messages is refused likewise.",
                                RefusalChecks.badMessages())
                        .ifDeclared(Feature.POINT_TO_POINT),
                refusal(
                                "spec0701_argumentsOfChannels",
                                "Every bad argument of channels that are made by hand is refused likewise, and so is"
                                        + " every use of a closed one.",
                                RefusalChecks.badChannels())
                        .ifDeclared(Feature.HOST_CHANNELS),
                refusal(
                                "spec1305_argumentsOfWindows",
                                "Every bad access of a window is refused likewise.",
                                RefusalChecks.badAccesses())
                        .ifDeclared(Feature.WINDOWS));
    }

    private static Rule refusal(String id, String statement, RankCheck check) {
        return Rule.required(id, statement, ANY_RESULT, check, Cases::usualCase);
    }

    private static List<Rule> differences() {
        return List.of(
                Rule.required(
                                "spec0712_differentCallsAreRefused",
                                "Ranks that compare their calls refuse different ones on every rank, "
                                        + "say which rank calls"
                                        + " what, and go on.",
                                ANY_RESULT,
                                LateChecks.comparedCalls(),
                                FaultRules::integersAndFloats)
                        .in(GroupKind.COMPARING),
                Rule.required(
                                "spec0702_differentCallsAreNamed",
                                "A join that waits in vain since ranks have launched different calls says which rank"
                                        + " has"
                                        + " called what.",
                                ANY_RESULT,
                                LateChecks.differentCalls(),
                                FaultRules::integersAndFloats)
                        .ofPlans() // a library may find the difference itself
                        .ifDeclared(Feature.ABORT),
                Rule.required(
                                "spec1201_unequalPartsAreReported",
                                "Where the ends of a part differ in its size, every rank is refused with both sizes.",
                                ANY_RESULT,
                                LateChecks.unequalParts(),
                                Cases::usualCase)
                        .ifDeclared(Feature.POINT_TO_POINT));
    }

    private static List<Rule> delays() {
        return List.of(
                Rule.required(
                        "spec0702_delayedRanksAreWaitedFor",
                        "A rank that launches later than the others, within the timeout, is no error, and results are"
                                + " right.",
                        ANY_RESULT,
                        LateChecks.delayedRank(),
                        (scope, rule) ->
                                scope.combine(scope.usual(rule), over(Scope.COLLECTIVES, TestCase::collective))),
                Rule.required(
                                "spec0704_lateLaunchesEndTheCommunicator",
                                "A launch that is later than the timeout ends the communicator, and every call says"
                                        + " that did not launch.",
                                ANY_RESULT,
                                LateChecks.lateLaunch(),
                                Cases::usualCase)
                        .ifDeclared(Feature.ABORT)
                        .in(GroupKind.IMPATIENT)
                        .spoiling(),
                late(
                                "spec0704_lateReplaysEndTheCommunicator",
                                "A replay that is later than the timeout ends the communicator, and every call says"
                                        + " that did not launch.",
                                LateChecks.lateReplay())
                        .after(REPLAYED),
                late(
                                "spec0704_otherReplaysAreNamed",
                                "The same holds where a rank launches another graph than the others.",
                                LateChecks.otherReplay(),
                                Cases::usualCase)
                        .ofPlans() // a library may find the difference itself
                        .after(List.of("spec0704_lateReplaysEndTheCommunicator")),
                late(
                                "spec0704_lateReplaysOfMessagesEndTheCommunicator",
                                "The same holds for messages; the exception names the ranks that do not take part.",
                                LateChecks.lateReplayOfMessages())
                        .after(List.of("spec0704_lateReplaysEndTheCommunicator", "spec1203_messagesAreReplayed")),
                late(
                                "spec0704_lateReplaysOfSignalsEndTheCommunicator",
                                "The same holds for signals of windows.",
                                LateChecks.lateReplayOfSignals())
                        .after(List.of("spec0704_lateReplaysEndTheCommunicator", "spec1304_signalsAreCounted")));
    }

    private static Rule late(String id, String statement, RankCheck check) {
        return late(id, statement, check, Cases::usualCase);
    }

    private static Rule late(String id, String statement, RankCheck check, CaseSource source) {
        return graphs(id, statement, check, source).in(GroupKind.IMPATIENT).spoiling();
    }

    private static List<Rule> aborts() {
        return List.of(
                abort("spec0704_abortEndsEveryOperation", "every kind of operation", AbortChecks.abortedOperations())
                        .ifDeclared(Feature.ABORT),
                abort(
                                "spec0704_abortEndsMessages",
                                "messages, and collectives that are made of them",
                                AbortChecks.abortedOperations(Feature.POINT_TO_POINT))
                        .ifDeclared(Feature.POINT_TO_POINT)
                        .after(List.of("spec0704_abortEndsEveryOperation")),
                abort(
                                "spec0704_abortEndsAccessesOfWindows",
                                "waiting for signals of a window",
                                AbortChecks.abortedOperations(Feature.WINDOWS))
                        .ifDeclared(Feature.WINDOWS)
                        .after(List.of("spec0704_abortEndsEveryOperation")),
                abort(
                                "spec0704_abortEndsSetUp",
                                "every call that waits for other ranks while something is set up or ends, shrink and"
                                        + " reconfigure too",
                                AbortChecks.abortedSetUp())
                        .ifDeclared(Feature.ABORT)
                        .after(List.of("spec0704_abortEndsEveryOperation")),
                abort(
                                "spec0704_abortEndsReplays",
                                "replays of graphs of every kind of operation",
                                AbortChecks.abortedOperations(Feature.GRAPH_CAPTURE))
                        .ifDeclared(Feature.GRAPH_CAPTURE)
                        .after(List.of(
                                "spec0704_abortEndsEveryOperation",
                                "spec0608_graphsAreReplayedBetweenLaunches",
                                "spec0704_lateReplaysEndTheCommunicator")));
    }

    private static Rule abort(String id, String what, RankCheck check) {
        return Rule.required(
                id,
                "An abort by another thread ends " + what + ", on all ranks, at once and with its reason.",
                ANY_RESULT,
                check,
                Cases::usualCase);
    }

    private static List<Rule> ends() {
        return List.of(
                end(
                                "spec0704_abortEndsFutures",
                                "An abort ends the futures of operations, with its reason.",
                                AbortChecks.abortedFutures())
                        .ifDeclared(Feature.ABORT)
                        .after(List.of("spec0603_futuresEndWithTheirOperation")),
                end(
                                "spec0706_theFirstReasonStays",
                                "A communicator that is aborted again keeps the first reason, on every rank.",
                                AbortChecks.firstReason())
                        .ifDeclared(Feature.ABORT),
                end(
                                "spec0706_failuresAreValues",
                                "A communicator that has ended gives the reason as a value, also when it is closed;"
                                        + " one that works gives none.",
                                AbortChecks.failure())
                        .ifDeclared(Feature.ABORT),
                end(
                                "spec0707_closedRanksAreNamed",
                                "A rank that waits for another one, which has closed its communicator, gets an error at"
                                        + " once; the communicator is not aborted.",
                                LossChecks.closedRank())
                        .ofPlans() // a library may find the loss itself
                        .after(List.of("spec0603_futuresEndWithTheirOperation")),
                end(
                                "spec0707_closedSendersAreNamed",
                                "A rank that waits for a message of another one, which has closed its communicator, is"
                                        + " told so at once.",
                                LossChecks.closedPeer(Feature.POINT_TO_POINT))
                        .ifDeclared(Feature.POINT_TO_POINT)
                        .after(List.of("spec0707_closedRanksAreNamed")),
                end(
                                "spec0707_closedSignallersAreNamed",
                                "A rank that waits for a signal of another one, which has closed its communicator, is"
                                        + " told so at once.",
                                LossChecks.closedPeer(Feature.WINDOWS))
                        .ifDeclared(Feature.WINDOWS)
                        .after(List.of("spec0707_closedRanksAreNamed")),
                closed(
                        "spec0707_closedPeersOfPortChannelsAreNamed",
                        "A host thread that waits on a port channel made by hand gets an error at once if the peer"
                                + " has closed"
                                + " its communicator; a signal that the peer has sent before is received.",
                        LossChecks.closedChannel(ChannelKind.PORT)),
                closed(
                                "spec0707_closedPeersOfMemoryChannelsAreNamed",
                                "A host thread that waits on a memory channel made by hand gets an error at once if"
                                        + " the peer"
                                        + " has closed its communicator; a signal that the peer has sent before"
                                        + " is received.",
                                LossChecks.closedChannel(ChannelKind.MEMORY))
                        .ifDeclared(Feature.HOST_CHANNELS),
                closed(
                                "spec0707_waitsOfKernelsForClosedPeersEnd",
                                "A kernel's wait on a channel ends when the peer has closed its communicator, and the"
                                        + " host learns why; what the peer has sent before is received.",
                                LossChecks.closedKernels(Feature.DEVICE_CHANNELS))
                        .ifDeclared(Feature.DEVICE_CHANNELS)
                        .after(List.of("spec1105_deviceChannels")),
                closed(
                                "spec0707_waitsOfKernelsInWindowsEnd",
                                "A kernel's wait in a window ends when the peer has closed its communicator,"
                                        + " and the host"
                                        + " learns why.",
                                LossChecks.closedKernels(Feature.WINDOWS))
                        .ifDeclared(Feature.DEVICE_CHANNELS)
                        .after(List.of("spec1307_kernelsUseWindows"))
                        .notBetweenNodes("kernels reach the memory of ranks of the same node only"),
                end(
                                "spec0715_faultsAreInTheHealth",
                                "The health of a process has the fault that an exception reports; an"
                                        + " abort is no fault.",
                                LossChecks.health())
                        .ifDeclared(Feature.POINT_TO_POINT)
                        .after(List.of("spec1201_unequalPartsAreReported")));
    }

    private static Rule closed(String id, String statement, RankCheck check) {
        return Rule.required(id, statement, with(FindingKind.UNSUPPORTED), check, Cases::neighboursOnANode)
                .after(List.of("spec0707_closedRanksAreNamed"));
    }

    private static Rule end(String id, String statement, RankCheck check) {
        return end(id, statement, check, Cases::usualCase);
    }

    private static Rule end(String id, String statement, RankCheck check, CaseSource source) {
        return Rule.required(id, statement, ANY_RESULT, check, source);
    }

    private static List<Rule> processes() {
        return Stream.of(
                        Rule.required(
                                "spec0702_stoppedRanksAreWaitedFor",
                                "A process that is stopped, and goes on within the timeout, is no error.",
                                ANY_RESULT,
                                LateChecks.stoppedForAWhile(),
                                Cases::usualCase),
                        Rule.required(
                                        "spec0704_stoppedRanksAreNamed",
                                        "A process that is stopped for longer than the timeout is named on all other"
                                                + " ranks.",
                                        ANY_RESULT,
                                        LateChecks.stoppedTooLong(),
                                        Cases::usualCase)
                                .ifDeclared(Feature.ABORT)
                                .in(GroupKind.IMPATIENT)
                                .spoiling(),
                        Rule.required(
                                        "spec0705_lostRanksAreNamed",
                                        "A process that is killed is named on all other ranks, which shrink the"
                                                + " communicator and go on.",
                                        ANY_RESULT,
                                        LossChecks.lostRank(),
                                        FaultRules::firstAndLast)
                                .ifDeclared(Feature.ABORT)
                                .spoiling(),
                        Rule.required(
                                        "spec0705_cutOffRanksAreNamed",
                                        "A process whose connections are cut is named likewise, and says itself that"
                                                + " it has lost a rank.",
                                        ANY_RESULT,
                                        LossChecks.cutOffRank(),
                                        FaultRules::firstAndLast)
                                .ifDeclared(Feature.ABORT)
                                .spoiling())
                .map(rule -> rule.notIn(Mode.THREADS, NO_PROCESSES).notIn(Mode.NODES, NO_PROCESSES))
                .toList();
    }

    /** Returns a case for the first and one for the last rank. The root is the rank that fails. */
    private static List<TestCase> firstAndLast(Scope scope, String rule) {
        int world = scope.usualWorld();
        return world < 2
                ? List.of()
                : List.of(scope.usual(rule).root(0), scope.usual(rule).root(world - 1));
    }

    /** Returns the usual case if the backend declares the types of the calls that differ. */
    private static List<TestCase> integersAndFloats(Scope scope, String rule) {
        return scope.types().containsAll(List.of(DataType.INT32, DataType.FLOAT32)) && scope.usualWorld() > 1
                ? usualCase(scope, rule)
                : List.of();
    }
}

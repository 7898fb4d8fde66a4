package org.mscclj.conformance.rule;

import static org.mscclj.conformance.rule.Cases.ALL_OPS;
import static org.mscclj.conformance.rule.Cases.ops;
import static org.mscclj.conformance.rule.Cases.smallWorlds;
import static org.mscclj.conformance.rule.RuleForms.ANY_RESULT;
import static org.mscclj.conformance.rule.RuleForms.REPLAYED;
import static org.mscclj.conformance.rule.RuleForms.graphs;
import static org.mscclj.conformance.rule.RuleForms.message;
import static org.mscclj.conformance.rule.RuleForms.with;
import static org.mscclj.conformance.rule.Scope.over;

import java.util.List;
import java.util.stream.Stream;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.message.MessageChecks;
import org.mscclj.conformance.rank.result.ResultChecks;
import org.mscclj.conformance.rank.window.WindowChecks;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.spi.Feature;

/** Rules about point-to-point and windows. */
final class MessageRules {
    private MessageRules() {}

    static List<Rule> all() {
        return Stream.of(messages(), windows()).flatMap(List::stream).toList();
    }

    private static List<Rule> messages() {
        return List.of(
                message(
                        "spec1201_messagesArrive",
                        "Messages of any size go from every rank to every rank in one batch.",
                        MessageChecks.messages()),
                message(
                                "spec1202_messagesKeepTheirOrder",
                                "Messages from one rank to another are received in the order in which they were sent.",
                                MessageChecks.messageOrder())
                        .after(List.of("spec1201_messagesArrive")),
                message(
                                "spec1204_emptyAndOwnMessages",
                                "A message of 0 bytes is waited for, and has its turn; a rank sends to itself"
                                        + " in one batch.",
                                MessageChecks.emptyMessages())
                        .after(List.of("spec1201_messagesArrive", "spec1202_messagesKeepTheirOrder")),
                message(
                                "spec1205_messagesInAnyMemory",
                                "Messages leave and enter any memory of a device, at any position.",
                                MessageChecks.anyMemory())
                        .after(List.of("spec1201_messagesArrive", "spec1202_messagesKeepTheirOrder")),
                message(
                                "spec1206_lanesAreReady",
                                "The first message of a communicator waits for no rank but its receiver, and for"
                                        + " no message of another communicator.",
                                MessageChecks.lanes())
                        .after(List.of("spec1201_messagesArrive")),
                message(
                                "spec1207_missingSendersAreNamed",
                                "A join that waits for a message names the rank that has not sent it.",
                                MessageChecks.missingSender())
                        .after(List.of("spec1201_messagesArrive")),
                message(
                                "spec1201_unequalSizesAreReported",
                                "Where the ends of a message differ in its size, the communicator is aborted,"
                                        + " with both sizes.",
                                MessageChecks.unequalSizes())
                        .after(List.of("spec1201_messagesArrive"))
                        .spoiling(),
                message(
                                "spec1201_unequalSizesAreNotSilent",
                                "The same holds if no caller joins the message: joining a later operation throws.",
                                MessageChecks.unjoinedSizes())
                        .after(List.of("spec1201_unequalSizesAreReported", "spec0607_launchesReadTheirInputAnew"))
                        .spoiling(),
                message(
                                "spec1203_messagesAreReplayed",
                                "Captured messages can be replayed, between other launches too.",
                                MessageChecks.messageReplay())
                        .ifDeclared(Feature.GRAPH_CAPTURE)
                        .after(List.of("spec1201_messagesArrive", REPLAYED.getFirst())),
                moves(
                                "spec1208_partsOfAnySizesMove",
                                "Parts of any sizes move, between buffers of their own and within one.",
                                false)
                        .ifDeclared(Feature.POINT_TO_POINT)
                        .after(List.of("spec1201_messagesArrive")),
                moves(
                                "spec1208_movesOfPartsAreReplayed",
                                "Captured moves of parts can be replayed, each time with new data.",
                                true)
                        .ifDeclared(Feature.GRAPH_CAPTURE)
                        .after(List.of("spec1208_partsOfAnySizesMove", "spec1203_messagesAreReplayed")),
                Rule.required(
                                "spec1208_partsOfAnySizesAreReduced",
                                "Parts of any sizes are reduced, each to its rank.",
                                ANY_RESULT,
                                ResultChecks.partReductions(),
                                (scope, rule) -> scope.combine(
                                        scope.usual(rule).count(33),
                                        over(scope.types(), TestCase::type),
                                        ops(scope, ALL_OPS),
                                        over(smallWorlds(scope), TestCase::world),
                                        over(List.of(true, false), TestCase::registered)))
                        .after(with("spec0301_everyTypeAndOperation", "spec0904_everyRoot")),
                graphs(
                                "spec1208_reductionsOfPartsAreReplayed",
                                "A captured reduction of parts can be replayed, each time on new data.",
                                ResultChecks.partReductions(),
                                (scope, rule) -> scope.combine(
                                        scope.usual(rule).count(33).graph(true),
                                        ops(scope, ALL_OPS),
                                        over(smallWorlds(scope), TestCase::world),
                                        over(List.of(true, false), TestCase::registered)))
                        .after(with("spec1208_partsOfAnySizesAreReduced", REPLAYED.getFirst())));
    }

    private static Rule moves(String id, String statement, boolean replayed) {
        return Rule.required(
                id,
                statement,
                ANY_RESULT,
                ResultChecks.partMoves(),
                (scope, rule) -> smallWorlds(scope).stream()
                        .map(world -> scope.usual(rule).world(world).count(33).graph(replayed))
                        .toList());
    }

    private static List<Rule> windows() {
        return List.of(
                window(
                        "spec1303_putsAreSeenBehindASignal",
                        "A rank that has waited for a signal sees what its sender has put before it, and nothing else"
                                + " has changed.",
                        WindowChecks.window()),
                window(
                        "spec1304_signalsAreCounted",
                        "Each signal of a window ends one wait, whenever it came; one too many waits, and names"
                                + " the missing ranks.",
                        WindowChecks.windowSignals()),
                window(
                        "spec1301_windowsOfAnySizes",
                        "Each rank opens memory of any size, which cannot be closed before the window, and"
                                + " which ranks of its node map.",
                        WindowChecks.windowMemory()),
                window(
                                "spec1306_closingIsRefusedDuringUse",
                                "Signals may be under way where a window is closed; that is refused on all"
                                        + " ranks while one uses what it has mapped.",
                                WindowChecks.windowClosing())
                        .after(List.of("spec1304_signalsAreCounted")),
                window(
                                "spec1302_windowsAreReplayed",
                                "Captured puts and signals can be replayed.",
                                WindowChecks.windowReplay())
                        .ifDeclared(Feature.GRAPH_CAPTURE)
                        .after(List.of("spec1303_putsAreSeenBehindASignal", REPLAYED.getFirst())),
                window(
                                "spec1307_kernelsUseWindows",
                                "Kernels of users put, get and signal, and their signals are those of launches.",
                                WindowChecks.deviceWindow())
                        .ifDeclared(Feature.DEVICE_CHANNELS)
                        .after(List.of("spec1105_deviceChannels", "spec1303_putsAreSeenBehindASignal"))
                        .notBetweenNodes("kernels reach the memory of ranks of the same node only"));
    }

    /** Returns a rule about windows. Windows also reach other nodes. */
    private static Rule window(String id, String statement, RankCheck check) {
        return message(id, statement, check).ifDeclared(Feature.WINDOWS);
    }
}

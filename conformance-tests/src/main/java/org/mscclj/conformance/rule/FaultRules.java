package org.mscclj.conformance.rule;

import static org.mscclj.conformance.rule.Scope.over;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.mscclj.api.type.DataType;
import org.mscclj.conformance.rank.Checks;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.scenario.GroupKind;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.spi.Feature;

/** Rules about what happens when ranks differ, come late, abort, or are gone. */
final class FaultRules {
    private static final String NO_PROCESSES = "ranks are threads of one process here";

    private FaultRules() {}

    /**
     * The rules.
     *
     * @param after what calls without faults are known to keep
     * @param breaking what breaks them
     */
    static List<Rule> all(List<String> after, Set<FindingKind> breaking) {
        return Stream.of(
                        refusals(breaking),
                        differences(breaking),
                        delays(breaking),
                        aborts(breaking),
                        processes(breaking))
                .flatMap(List::stream)
                .map(rule -> rule.after(after))
                .toList();
    }

    private static List<Rule> refusals(Set<FindingKind> breaking) {
        return List.of(
                refusal(
                        "spec0701_argumentsOfCollectives",
                        "Every bad argument of a collective is refused, and the message says what was given and what is allowed.",
                        breaking,
                        Checks.badCollectives(Scope.COLLECTIVES)),
                refusal(
                        "spec0701_sizesAndLists",
                        "Every bad size, range and list of ranks is refused likewise.",
                        breaking,
                        Checks.badMemory()),
                refusal(
                        "spec0701_argumentsOfPartReductions",
                        "Every bad argument of a reduction of parts is refused likewise, before any part is reduced.",
                        breaking,
                        Checks.badReductions()),
                refusal(
                        "spec0701_whatIsClosedIsRefused",
                        "Every use of a closed communicator or operation is refused likewise.",
                        breaking,
                        Checks.closedCalls()),
                refusal(
                                "spec0701_argumentsOfMessages",
                                "Every bad argument of messages is refused likewise.",
                                breaking,
                                Checks.badMessages())
                        .ifDeclared(Feature.POINT_TO_POINT),
                refusal(
                                "spec1305_argumentsOfWindows",
                                "Every bad access of a window is refused likewise.",
                                breaking,
                                Checks.badAccesses())
                        .ifDeclared(Feature.WINDOWS)
                        .notIn(Mode.NODES, "windows reach the memory of ranks of the same node only"));
    }

    private static Rule refusal(String id, String statement, Set<FindingKind> breaking, RankCheck check) {
        return Rule.required(id, statement, breaking, check, FaultRules::usualCase);
    }

    private static List<Rule> differences(Set<FindingKind> breaking) {
        return List.of(
                Rule.required(
                                "spec0712_differentCallsAreRefused",
                                "Ranks that compare their calls refuse different ones on every rank, say who calls what, and go on.",
                                breaking,
                                Checks.comparedCalls(),
                                FaultRules::integersAndFloats)
                        .in(GroupKind.COMPARING),
                Rule.required(
                                "spec0702_differentCallsAreNamed",
                                "A join that waits in vain since ranks have launched different calls says who has called what.",
                                breaking,
                                Checks.differentCalls(),
                                FaultRules::integersAndFloats)
                        .ifDeclared(Feature.ABORT),
                Rule.required(
                                "spec1201_unequalPartsAreTold",
                                "Where the ends of a part differ in its size, every rank is told both sizes.",
                                breaking,
                                Checks.unequalParts(),
                                FaultRules::usualCase)
                        .ifDeclared(Feature.POINT_TO_POINT));
    }

    private static List<Rule> delays(Set<FindingKind> breaking) {
        return List.of(
                Rule.required(
                        "spec0702_delayedRanksAreWaitedFor",
                        "A rank that launches later than the others, within the timeout, is no error, and results are right.",
                        breaking,
                        Checks.delayedRank(),
                        (scope, rule) ->
                                scope.combine(scope.usual(rule), over(Scope.COLLECTIVES, TestCase::collective))),
                Rule.required(
                                "spec0704_lateLaunchesEndTheCommunicator",
                                "A launch that is later than the timeout ends the communicator, and every call says who did not launch.",
                                breaking,
                                Checks.lateLaunch(),
                                FaultRules::usualCase)
                        .ifDeclared(Feature.ABORT)
                        .in(GroupKind.IMPATIENT)
                        .spoiling());
    }

    private static List<Rule> aborts(Set<FindingKind> breaking) {
        return List.of(Rule.required(
                        "spec0704_abortEndsEveryOperation",
                        "An abort by another thread ends every kind of operation, on all ranks, at once and with its reason.",
                        breaking,
                        Checks.abortedOperations(),
                        FaultRules::usualCase)
                .ifDeclared(Feature.ABORT));
    }

    private static List<Rule> processes(Set<FindingKind> breaking) {
        return Stream.of(
                        Rule.required(
                                "spec0702_stoppedRanksAreWaitedFor",
                                "A process that is stopped, and goes on within the timeout, is no error.",
                                breaking,
                                Checks.stoppedForAWhile(),
                                FaultRules::usualCase),
                        Rule.required(
                                        "spec0704_stoppedRanksAreNamed",
                                        "A process that is stopped for longer than the timeout is named on all other ranks.",
                                        breaking,
                                        Checks.stoppedTooLong(),
                                        FaultRules::usualCase)
                                .ifDeclared(Feature.ABORT)
                                .in(GroupKind.IMPATIENT)
                                .spoiling(),
                        Rule.required(
                                        "spec0705_lostRanksAreNamed",
                                        "A process that is killed is named on all other ranks, which shrink the communicator and go on.",
                                        breaking,
                                        Checks.lostRank(),
                                        FaultRules::firstAndLast)
                                .ifDeclared(Feature.ABORT)
                                .spoiling())
                .map(rule -> rule.notIn(Mode.THREADS, NO_PROCESSES).notIn(Mode.NODES, NO_PROCESSES))
                .toList();
    }

    /** The root is whom it happens to. */
    private static List<TestCase> firstAndLast(Scope scope, String rule) {
        int world = scope.usualWorld();
        return world < 2
                ? List.of()
                : List.of(scope.usual(rule).root(0), scope.usual(rule).root(world - 1));
    }

    private static List<TestCase> usualCase(Scope scope, String rule) {
        return List.of(scope.usual(rule));
    }

    /** The calls that differ are of these types. */
    private static List<TestCase> integersAndFloats(Scope scope, String rule) {
        return scope.types().containsAll(List.of(DataType.INT32, DataType.FLOAT32)) && scope.usualWorld() > 1
                ? usualCase(scope, rule)
                : List.of();
    }
}

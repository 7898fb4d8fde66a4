package org.mscclj.conformance.rule;

import static org.mscclj.conformance.rule.Cases.COUNTS_OF_A_RANK;
import static org.mscclj.conformance.rule.Cases.PLACES;
import static org.mscclj.conformance.rule.Cases.smallWorlds;
import static org.mscclj.conformance.rule.RuleForms.BASICS;
import static org.mscclj.conformance.rule.RuleForms.RESULT;
import static org.mscclj.conformance.rule.RuleForms.shape;
import static org.mscclj.conformance.rule.Scope.over;

import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.scenario.Depth;
import org.mscclj.conformance.scenario.TestCase;

/** Rules about the results of collectives of every shape. */
final class ResultRules {
    private ResultRules() {}

    static List<Rule> all() {
        return Stream.of(basics(), shapes()).flatMap(List::stream).toList();
    }

    private static List<Rule> basics() {
        return List.of(
                basic(
                        0,
                        "spec0605_launchesEnd",
                        "A launch that all ranks have made ends.",
                        EnumSet.of(FindingKind.TIMED_OUT, FindingKind.HUNG),
                        Cases::usualCases),
                basic(
                        1,
                        "spec0603_joinedMeansDone",
                        "When an operation has been joined its output does not change any more.",
                        EnumSet.of(FindingKind.LATE),
                        Cases::usualCases),
                basic(
                        2,
                        "spec0902_everyElementIsWritten",
                        "Every element of an output is written.",
                        EnumSet.of(FindingKind.MISSING),
                        Cases::usualCases),
                basic(
                        2,
                        "spec0903_everyElementIsInItsPlace",
                        "Every element of an output comes from its position.",
                        EnumSet.of(FindingKind.MISPLACED),
                        Cases::usualCases),
                basic(
                        4,
                        "spec0901_resultsAreRight",
                        "Every collective computes what its definition says.",
                        EnumSet.of(FindingKind.WRONG, FindingKind.ERROR, FindingKind.REJECTED, FindingKind.ABORTED),
                        Cases::usualCases),
                basic(
                        2,
                        "spec0104_inputsAreNotChanged",
                        "Out of place, the input is left unchanged.",
                        EnumSet.of(FindingKind.INPUT_CHANGED),
                        Cases::usualAndOddCases),
                basic(
                        2,
                        "spec0105_nothingElseIsWritten",
                        "Nothing beside input and output is ever written.",
                        EnumSet.of(FindingKind.OUTSIDE),
                        Cases::usualAndOddCases));
    }

    /** Returns a rule about the usual calls, which presupposes the first {@code presupposed} basic rules. */
    private static Rule basic(
            int presupposed, String id, String statement, EnumSet<FindingKind> breaking, CaseSource source) {
        return Rule.required(id, statement, breaking, RESULT, source).after(BASICS.subList(0, presupposed));
    }

    private static List<Rule> shapes() {
        return List.of(
                shape(
                        "spec0101_everyCount",
                        "Every count is legal.",
                        (scope, rule) -> scope.combine(
                                scope.usual(rule),
                                over(Scope.COLLECTIVES, TestCase::collective),
                                over(
                                        scope.worlds().stream()
                                                .filter(world -> world <= 5
                                                        || scope.depth() == Depth.FULL
                                                        || !scope.given().isEmpty())
                                                .toList(),
                                        TestCase::world),
                                over(IntStream.range(0, 11).boxed().toList(), (test, i) -> {
                                    List<Long> counts = scope.counts(test.world());
                                    return test.count(counts.get(Math.min(i, counts.size() - 1)));
                                }),
                                over(
                                        Stream.of(scope.usualType(), DataType.UINT8, DataType.FLOAT16, DataType.INT64)
                                                .filter(scope.types()::contains)
                                                .distinct()
                                                .toList(),
                                        TestCase::type))),
                shape(
                        "spec0101_everyNumberOfRanks",
                        "Every number of ranks is legal.",
                        (scope, rule) -> scope.combine(
                                scope.usual(rule),
                                over(Scope.COLLECTIVES, TestCase::collective),
                                over(scope.worlds(), TestCase::world),
                                COUNTS_OF_A_RANK)),
                shape(
                        "spec0104_inPlace",
                        "In place works as out of place does.",
                        (scope, rule) -> scope.combine(
                                scope.usual(rule).inPlace(true),
                                over(Scope.COLLECTIVES, TestCase::collective),
                                over(scope.worlds(), TestCase::world),
                                COUNTS_OF_A_RANK)),
                shape(
                        "spec0106_unalignedBuffers",
                        "Buffers may begin at any multiple of the size of an element.",
                        (scope, rule) -> scope.combine(
                                scope.usual(rule),
                                over(Scope.COLLECTIVES, TestCase::collective),
                                over(List.of(1, 3, 7), TestCase::offset),
                                over(
                                        Stream.of(scope.usualType(), DataType.UINT8)
                                                .filter(scope.types()::contains)
                                                .toList(),
                                        TestCase::type),
                                PLACES)),
                shape(
                        "spec0107_plainBuffers",
                        "Buffers need not come from the communicator.",
                        (scope, rule) -> scope.combine(
                                scope.usual(rule).registered(false),
                                over(Scope.COLLECTIVES, TestCase::collective),
                                over(smallWorlds(scope), TestCase::world),
                                PLACES)),
                shape("spec0904_everyRoot", "Every rank can be the root.", (scope, rule) -> {
                    int world = Math.min(5, scope.capabilities().maxRanks());
                    return scope.combine(
                            scope.usual(rule).world(world),
                            over(
                                    Scope.COLLECTIVES.stream()
                                            .filter(Collective::hasRoot)
                                            .toList(),
                                    TestCase::collective),
                            over(IntStream.range(0, world).boxed().toList(), TestCase::root),
                            PLACES);
                }));
    }
}

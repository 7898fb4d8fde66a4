package org.mscclj.conformance.rule;

import static org.mscclj.conformance.rule.Cases.ALL_OPS;
import static org.mscclj.conformance.rule.Cases.PLAIN_OPS;
import static org.mscclj.conformance.rule.Cases.REDUCING;
import static org.mscclj.conformance.rule.Cases.SCALED_OPS;
import static org.mscclj.conformance.rule.Cases.floats;
import static org.mscclj.conformance.rule.Cases.narrow;
import static org.mscclj.conformance.rule.Cases.ops;
import static org.mscclj.conformance.rule.Cases.worldsWithPeers;
import static org.mscclj.conformance.rule.RuleForms.ANY_RESULT;
import static org.mscclj.conformance.rule.RuleForms.RESULT;
import static org.mscclj.conformance.rule.RuleForms.SOUND;
import static org.mscclj.conformance.rule.RuleForms.shape;
import static org.mscclj.conformance.rule.RuleForms.with;
import static org.mscclj.conformance.rule.Scope.over;

import java.util.EnumSet;
import java.util.List;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.result.ResultChecks;
import org.mscclj.conformance.scenario.DataShape;
import org.mscclj.conformance.scenario.TestCase;

/** Rules about element types and reduce operations. */
final class TypeRules {
    private TypeRules() {}

    static List<Rule> all() {
        return List.of(
                Rule.required(
                                "spec1101_declaredTypesAndOperationsWork",
                                "What a backend declares it can do.",
                                EnumSet.of(FindingKind.UNSUPPORTED, FindingKind.REJECTED),
                                RESULT,
                                (scope, rule) -> scope.combine(
                                        scope.usual(rule), over(scope.types(), TestCase::type), ops(scope, ALL_OPS)))
                        .after(SOUND),
                Rule.required(
                                "spec1102_undeclaredIsRefused",
                                "What a backend can do it declares: a warning if not.",
                                EnumSet.of(FindingKind.HUNG, FindingKind.TIMED_OUT),
                                RESULT,
                                Cases::undeclaredCases)
                        .ofTheUndeclared()
                        .after(SOUND),
                Rule.required(
                                "spec0307_neverAnotherOperation",
                                "Nothing is computed with another operation than the one asked for.",
                                EnumSet.of(FindingKind.OTHER_OPERATION),
                                RESULT,
                                (scope, rule) -> scope.combine(scope.usual(rule), ops(scope, PLAIN_OPS), REDUCING))
                        .after(SOUND),
                ofOperations(
                        "spec0301_everyTypeAndOperation",
                        "Every operation works on every type on which it is defined.",
                        (scope, rule) -> scope.combine(
                                scope.usual(rule),
                                over(scope.types(), TestCase::type),
                                ops(scope, PLAIN_OPS),
                                over(worldsWithPeers(scope), TestCase::world),
                                REDUCING)),
                ofOperations(
                        "spec0302_integersWrapAndUnsignedIsUnsigned",
                        "Integer arithmetic wraps; unsigned types compare as unsigned.",
                        (scope, rule) -> scope.combine(
                                scope.usual(rule).data(DataShape.WIDE),
                                over(
                                        scope.types().stream()
                                                .filter(type -> !type.isFloat())
                                                .toList(),
                                        TestCase::type),
                                ops(scope, List.of(ReduceOp.MIN, ReduceOp.MAX, ReduceOp.SUM, ReduceOp.PRODUCT)))),
                ofOperations(
                        "spec0303_narrowFloatsAreRoundedOnce",
                        "float16, bfloat16 and fp8 are computed in float32 and rounded once, to nearest even.",
                        (scope, rule) -> narrow(scope, rule, DataShape.ROUNDED)),
                ofOperations(
                        "spec0304_overflowSaturatesOrIsInfinite",
                        "Conversion to fp8 saturates; wider types overflow to infinity.",
                        (scope, rule) -> narrow(scope, rule, DataShape.OVERFLOWING)),
                ofOperations(
                                "spec0305_extremaOfNanAndZeros",
                                "min and max give NaN if any contribution is NaN, and −0 is less than +0.",
                                (scope, rule) -> scope.combine(
                                        scope.usual(rule).data(DataShape.SPECIAL),
                                        floats(scope),
                                        ops(scope, List.of(ReduceOp.MIN, ReduceOp.MAX))))
                        .ofPlans(),
                ofOperations(
                        "spec0306_averagesAndPremultipliedSums",
                        "avg and premul-sum scale what is summed up.",
                        (scope, rule) -> scope.combine(
                                scope.usual(rule),
                                over(scope.types(), TestCase::type),
                                ops(scope, SCALED_OPS),
                                REDUCING)),
                Rule.required(
                                "spec0306_averagesDoNotOverflow",
                                "avg and premul-sum have a result wherever it is in the range of the type, also"
                                        + " where the sum is not.",
                                ANY_RESULT,
                                RESULT,
                                Cases::largeAverages)
                        .after(with("spec0306_averagesAndPremultipliedSums")),
                Rule.required(
                                "spec0306_factorsMayDiffer",
                                "Each rank's contribution is multiplied by that rank's factor, which may change"
                                        + " from call to call.",
                                ANY_RESULT,
                                ResultChecks.factorsOfRanks(),
                                OrderRules::premultipliedSums)
                        .after(with("spec0306_averagesAndPremultipliedSums")),
                Rule.required(
                                "spec0309_equalBitsOnAllRanks",
                                "After an allreduce all ranks hold the same bits.",
                                with(FindingKind.UNEQUAL),
                                RESULT,
                                (scope, rule) -> scope.combine(
                                        scope.usual(rule).data(DataShape.INEXACT),
                                        floats(scope),
                                        over(worldsWithPeers(scope), TestCase::world),
                                        over(List.of(1024L, 20_000L), TestCase::count)))
                        .after(SOUND),
                Rule.required(
                                "spec0309_sameBitsAgain",
                                "The same call on the same data gives the same bits again.",
                                with(FindingKind.UNREPEATED),
                                ResultChecks.sameBits(),
                                (scope, rule) ->
                                        List.of(scope.usual(rule).count(1024).data(DataShape.INEXACT)))
                        .after(SOUND));
    }

    /** Returns a rule about calls with other types and operations, which presupposes that these are not mixed up. */
    private static Rule ofOperations(String id, String statement, CaseSource source) {
        return shape(id, statement, source).after(with("spec0307_neverAnotherOperation"));
    }
}

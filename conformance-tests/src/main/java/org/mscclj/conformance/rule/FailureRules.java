package org.mscclj.conformance.rule;

import static org.mscclj.conformance.rule.Cases.PLACES;
import static org.mscclj.conformance.rule.Cases.REDUCING;
import static org.mscclj.conformance.rule.Cases.floats;
import static org.mscclj.conformance.rule.RuleForms.ANY_RESULT;
import static org.mscclj.conformance.rule.RuleForms.SOUND;
import static org.mscclj.conformance.rule.RuleForms.behaviour;
import static org.mscclj.conformance.rule.RuleForms.with;
import static org.mscclj.conformance.rule.Scope.over;

import java.util.List;
import org.mscclj.conformance.rank.abort.AbortChecks;
import org.mscclj.conformance.rank.group.GroupChecks;
import org.mscclj.conformance.rank.late.LateChecks;
import org.mscclj.conformance.rank.refusal.RefusalChecks;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.spi.Feature;

/** Rules about calls that fail, and about how a communicator ends. */
final class FailureRules {
    private FailureRules() {}

    static List<Rule> all() {
        return List.of(
                behaviour(
                        "spec0701_badArgumentsChangeNothing",
                        "A bad call is refused on every rank and changes nothing.",
                        RefusalChecks.badArguments()),
                Rule.required(
                                "spec0809_nanIsRefused",
                                "With the NaN check, a rank that has NaN in its input is refused, alone,"
                                        + " and comes back with other data.",
                                ANY_RESULT,
                                RefusalChecks.nanInput(),
                                (scope, rule) -> scope.combine(
                                        scope.usual(rule),
                                        floats(scope),
                                        REDUCING,
                                        PLACES,
                                        over(List.of(true, false), TestCase::registered)))
                        .after(with("spec0301_everyTypeAndOperation", "spec0607_launchesReadTheirInputAnew")),
                Rule.required(
                                "spec0702_missingRanksAreNamed",
                                "A join that takes too long throws, and names the missing ranks; the operation"
                                        + " stays in flight.",
                                ANY_RESULT,
                                LateChecks.missingRank(),
                                (scope, rule) -> scope.fewWorlds().stream()
                                        .map(scope.usual(rule)::world)
                                        .toList())
                        .after(SOUND),
                behaviour(
                                "spec0704_abortEndsEverything",
                                "An abort ends what is in flight; later calls are refused.",
                                AbortChecks.abort())
                        .ifDeclared(Feature.ABORT)
                        .spoiling(),
                ProgramRules.aborts(),
                behaviour(
                                "spec0711_shrunkCommunicatorsWork",
                                "After an abort, the ranks that are left shrink the communicator and go on.",
                                GroupChecks.shrink())
                        .ifDeclared(Feature.ABORT)
                        .after(with("spec0704_abortEndsEverything", "spec0607_launchesReadTheirInputAnew"))
                        .spoiling(),
                behaviour(
                                "spec0714_survivorsContinue",
                                "Ranks that are processes go on in a communicator of some of them, in any"
                                        + " order, and the old one ends; threads are refused.",
                                GroupChecks.reconfigure())
                        .after(with("spec0607_launchesReadTheirInputAnew"))
                        .spoiling());
    }
}

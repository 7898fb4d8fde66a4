package org.mscclj.conformance.suite;

import java.time.Duration;
import java.util.List;
import org.mscclj.conformance.rule.Rule;
import org.mscclj.conformance.scenario.Mode;

/**
 * The result of a rule in a mode.
 *
 * @param rule the rule
 * @param mode where the ranks lived
 * @param outcome its outcome
 * @param reason the reason, on one line; if the rule passed, the cases that prove nothing; empty if all passed
 * @param cases number of cases that were tried
 * @param notable the cases that did not pass
 * @param took how long the cases took
 */
public record RuleResult(
        Rule rule, Mode mode, Outcome outcome, String reason, int cases, List<CaseResult> notable, Duration took) {
    /** Copies the list. */
    public RuleResult {
        notable = List.copyOf(notable);
    }

    /** Returns the number of cases with this outcome. The cases that passed are not kept. */
    public long count(Outcome of) {
        return notable.stream().filter(result -> result.outcome() == of).count();
    }

    RuleResult with(Outcome changed, String why) {
        return new RuleResult(rule, mode, changed, why, cases, notable, took);
    }

    /** Describes the result on several lines. Each case can be run again from its line. */
    public String text() {
        StringBuilder text = new StringBuilder(rule.testName() + " (" + mode + "): " + outcome);
        if (!reason.isEmpty()) {
            text.append(": ").append(reason);
        }
        text.append("\n  SPEC ").append(rule.number()).append(": ").append(rule.statement());
        for (CaseResult result : notable) {
            text.append("\n  ")
                    .append(result.outcome())
                    .append(' ')
                    .append(result.test().line());
            text.append("\n    ").append(result.reason());
        }
        return text.toString();
    }
}

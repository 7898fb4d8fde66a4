package org.mscclj.conformance.suite;

import java.time.Duration;
import java.util.List;
import org.mscclj.conformance.rule.Rule;
import org.mscclj.conformance.scenario.Mode;

/**
 * What became of a rule in a mode.
 *
 * @param rule the rule
 * @param mode where the ranks lived
 * @param outcome what became of it
 * @param reason why, in one line; if it passed, which cases say nothing; empty if all passed
 * @param cases how many cases were tried
 * @param notable the cases that did not pass
 * @param took how long that took
 */
public record RuleResult(
        Rule rule, Mode mode, Outcome outcome, String reason, int cases, List<CaseResult> notable, Duration took) {
    /** Copies the list. */
    public RuleResult {
        notable = List.copyOf(notable);
    }

    /** How many cases ended like that; of those that passed none is kept. */
    public long count(Outcome of) {
        return notable.stream().filter(result -> result.outcome() == of).count();
    }

    RuleResult with(Outcome changed, String why) {
        return new RuleResult(rule, mode, changed, why, cases, notable, took);
    }

    /** Everything worth knowing, on several lines; each case can be run again from its line. */
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

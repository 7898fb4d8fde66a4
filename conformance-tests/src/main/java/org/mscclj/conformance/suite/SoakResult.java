package org.mscclj.conformance.suite;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.mscclj.conformance.resource.ProcessResources;
import org.mscclj.conformance.scenario.Mode;

/**
 * The result of a soak.
 *
 * @param mode where the ranks lived
 * @param seed seed of all random choices
 * @param cases number of cases that were tried
 * @param rules number of rules with such a case
 * @param groups how many groups of ranks were opened for them, and closed
 * @param failures cases that failed
 * @param leaks resources that were not released, and failures of groups that were closed
 * @param before the resources of the process when it was warm
 * @param after the resources of the process at the end
 * @param took how long the soak took
 */
public record SoakResult(
        Mode mode,
        long seed,
        long cases,
        int rules,
        int groups,
        List<CaseResult> failures,
        List<String> leaks,
        ProcessResources before,
        ProcessResources after,
        Duration took) {
    /** Copies the lists. */
    public SoakResult {
        failures = List.copyOf(failures);
        leaks = List.copyOf(leaks);
    }

    /** Returns whether nothing is wrong. */
    public boolean isPassed() {
        return failures.isEmpty() && leaks.isEmpty();
    }

    /** Returns the report, line by line. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%-10s soak, %s: %,d cases of %d rules, %d rounds of groups, in %.1f s, seed %d",
                isPassed() ? "passed" : "failed",
                mode,
                cases,
                rules,
                groups,
                took.toMillis() / 1000.0,
                seed));
        lines.add("           when warm   " + before);
        lines.add("           at the end  " + after);
        for (CaseResult failure : failures) {
            lines.add("           " + failure.reason());
            lines.add("           --case \"" + failure.test().line() + '"');
        }
        leaks.forEach(leak -> lines.add("           " + leak));
        return lines;
    }
}

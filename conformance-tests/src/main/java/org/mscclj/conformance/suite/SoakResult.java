package org.mscclj.conformance.suite;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.mscclj.conformance.resource.ProcessResources;
import org.mscclj.conformance.scenario.Mode;

/**
 * What has come of a soak.
 *
 * @param mode where ranks lived
 * @param seed of everything that was random
 * @param cases how many were tried
 * @param rules of how many rules
 * @param groups how many groups of ranks were opened for them, and closed
 * @param failures cases that went wrong
 * @param leaks what was not given back, and what went wrong when groups were closed
 * @param before what the process held when it was warm
 * @param after what it held at the end
 * @param took how long it took
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

    /** Whether nothing is wrong. */
    public boolean isPassed() {
        return failures.isEmpty() && leaks.isEmpty();
    }

    /** The report, line by line. */
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

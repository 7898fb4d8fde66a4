package org.mscclj.cli.selftest;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.mscclj.cli.selftest.PartResult.Outcome;

/**
 * The results of all parts.
 *
 * @param machine the time and the machine
 * @param parts the results in the order in which the parts ran
 */
record SelftestResults(String machine, List<PartResult> parts) {
    SelftestResults {
        parts = List.copyOf(parts);
    }

    static SelftestResults ofNow(List<PartResult> parts) {
        return new SelftestResults(
                Runtime.getRuntime().availableProcessors() + " cores, " + System.getProperty("os.name") + " "
                        + System.getProperty("os.version") + " " + System.getProperty("os.arch") + ", Java "
                        + Runtime.version() + ", " + Instant.now().truncatedTo(ChronoUnit.SECONDS),
                parts);
    }

    boolean isRight() {
        return parts.stream().allMatch(PartResult::isRight);
    }

    String sum() {
        return Arrays.stream(Outcome.values())
                .filter(outcome -> count(outcome) > 0)
                .map(outcome -> count(outcome) + " " + outcome.label())
                .collect(Collectors.joining(", "));
    }

    private long count(Outcome outcome) {
        return parts.stream().filter(result -> result.outcome() == outcome).count();
    }
}

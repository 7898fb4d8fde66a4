package org.mscclj.cli.perf;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.mscclj.cli.measure.Times;

/** Describes the spread of the times of samples, and reports when other load has made times useless. */
final class Spread {
    private Spread() {}

    /** Returns lines about the valid times and about the invalid ones. */
    static List<String> of(List<PerfRow> rows) {
        List<Times> steady = new ArrayList<>();
        List<Measurement> disturbed = new ArrayList<>();
        rows.stream().flatMap(PerfRow::all).forEach(measurement -> {
            if (measurement.isDisturbed()) {
                disturbed.add(measurement);
            } else {
                measurement.times().ifPresent(steady::add);
            }
        });
        List<String> lines = new ArrayList<>();
        if (!steady.isEmpty()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "spread: medians are at most %.2f times the least; the middle half of the samples spans at most"
                            + " %.1f %% of the median; nine of ten take at most %.2f times the median",
                    steady.stream().mapToDouble(Times::spread).max().orElseThrow(),
                    steady.stream().mapToDouble(Times::quartilePercent).max().orElseThrow(),
                    steady.stream().mapToDouble(Times::slowness).max().orElseThrow()));
        }
        disturbed.stream()
                .max(Comparator.comparingDouble(Measurement::spread))
                .ifPresent(worst -> lines.add(String.format(
                        Locale.ROOT,
                        "the machine was busy: %d of %d times are no results, since their medians are more than"
                                + " %d times"
                                + " the least, %.0f times for %d bytes; measure again when nothing else runs",
                        disturbed.size(),
                        disturbed.size() + steady.size(),
                        Times.MAX_SPREAD,
                        worst.spread(),
                        worst.shape().messageBytes())));
        return lines;
    }
}

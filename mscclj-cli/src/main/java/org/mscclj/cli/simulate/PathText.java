package org.mscclj.cli.simulate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.mscclj.analysis.simulate.timeline.Span;
import org.mscclj.analysis.simulate.timeline.Timeline;
import org.mscclj.plan.Plan;
import org.mscclj.plan.text.OperationText;

/** Formats a critical path as text. */
final class PathText {
    private static final int MAX_LINES = 24;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double PERCENT = 100;

    private final Plan plan;
    private final Timeline timeline;

    PathText(Plan plan, Timeline timeline) {
        this.plan = plan;
        this.timeline = timeline;
    }

    /** Returns a line for each step and a summary; for a long path, only the first and the last steps. */
    List<String> lines() {
        List<String> steps = new ArrayList<>();
        Map<String, Double> sums = new LinkedHashMap<>();
        double before = 0;
        for (int index : timeline.criticalPath()) {
            Span span = timeline.spans().get(index);
            String gap = steps.isEmpty() ? "launch" : "on the way";
            // Only the time after the previous step counts, since this step started while that one was running.
            double from = Math.max(before, span.ready());
            sums.merge(gap, Math.max(0, from - before), Double::sum);
            sums.merge(label(span), span.end() - Math.min(from, span.end()), Double::sum);
            steps.add(step(span, before));
            before = Math.max(before, span.end());
        }
        if (!steps.isEmpty() && timeline.nanos() > before) {
            sums.merge("acknowledgements", timeline.nanos() - before, Double::sum);
            steps.add(acknowledgement(timeline.nanos() - before));
        }
        List<String> lines = new ArrayList<>();
        int half = MAX_LINES / 2;
        for (int i = 0; i < steps.size(); i++) {
            if (steps.size() <= MAX_LINES || i < half || i >= steps.size() - half) {
                lines.add(steps.get(i));
            } else if (i == half) {
                lines.add("  … " + (steps.size() - MAX_LINES) + " steps more");
            }
        }
        if (!steps.isEmpty()) {
            lines.add("in all: " + shares(sums));
        }
        return lines;
    }

    private String step(Span span, double before) {
        double from = Math.max(before, span.ready());
        String gap = before == 0 ? "the launch" : "the way to it";
        return String.format(
                Locale.ROOT,
                "%10.2f us  %s%s takes %.2f us%s",
                from / NANOS_PER_MICRO,
                place(span),
                span.iteration() > 0 ? ", iteration " + span.iteration() + "," : "",
                (span.end() - Math.min(from, span.end())) / NANOS_PER_MICRO,
                from > before
                        ? String.format(Locale.ROOT, ", after %.2f us of %s", (from - before) / NANOS_PER_MICRO, gap)
                        : "");
    }

    /** Describes the end of the launch, which flushes its port channels. */
    private String acknowledgement(double nanos) {
        return String.format(
                Locale.ROOT,
                "%10.2f us  the launch ends, after %.2f us until that is acknowledged",
                timeline.nanos() / NANOS_PER_MICRO,
                nanos / NANOS_PER_MICRO);
    }

    private String place(Span span) {
        return span.address() + " (" + OperationText.of(plan, span.address()) + ")"
                + (span.byProxy() ? ", by its proxy," : "");
    }

    private static String shares(Map<String, Double> sums) {
        double all = sums.values().stream().mapToDouble(Double::doubleValue).sum();
        return String.join(
                ", ",
                sums.entrySet().stream()
                        .filter(entry -> entry.getValue() > 0)
                        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                        .map(entry -> String.format(
                                Locale.ROOT, "%s %.0f %%", entry.getKey(), PERCENT * entry.getValue() / all))
                        .toList());
    }

    private String label(Span span) {
        return plan.operation(span.address()).label() + (span.byProxy() ? " by proxies" : "");
    }
}

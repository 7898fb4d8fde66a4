package org.mscclj.cli.stress.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.mscclj.plan.document.JsonWriter;

/** The results of faults and their times, by operation. Safe for use by several threads. */
public final class FaultResult implements ScenarioResult {
    private static final int MAX_PRINTED = 20;
    private static final long BETWEEN_LINES_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String name;
    private final String measured;
    private final long limitNanos;
    private final Consumer<String> progress;
    private final Map<String, List<Long>> times = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();
    private final Map<String, Long> notes = new TreeMap<>();
    private final Map<String, int[]> judged = new TreeMap<>();
    private int cases;
    private long mostAllowedNanos;
    private long lastTold = System.nanoTime();

    /**
     * Creates an empty result.
     *
     * @param name the name of the scenario
     * @param measured a description of the measured times
     */
    public FaultResult(String name, String measured, FaultSettings settings) {
        this.name = name;
        this.measured = measured;
        this.limitNanos = settings.limit().toNanos();
        this.mostAllowedNanos = limitNanos;
        this.progress = settings.progress();
    }

    /** Called when a case starts. */
    public synchronized void begin() {
        cases++;
        if (System.nanoTime() - lastTold >= BETWEEN_LINES_NANOS) {
            lastTold = System.nanoTime();
            progress.accept(name + ": case " + cases + ", " + failures.size() + " failures so far");
        }
    }

    /** Adds a time that the caller judges, and its limit. */
    public synchronized void measured(String what, long nanos, Duration allowed) {
        mostAllowedNanos = Math.max(mostAllowedNanos, allowed.toNanos());
        times.computeIfAbsent(what, _ -> new ArrayList<>()).add(nanos);
    }

    /** Counts a case of a kind. {@link #failed} reports its failures. */
    public synchronized void judged(String what, boolean right) {
        int[] counts = judged.computeIfAbsent(what, _ -> new int[2]);
        counts[right ? 0 : 1]++;
    }

    /** Adds a time; it is a failure above the limit. */
    synchronized void took(String what, long nanos) {
        took(what, nanos, Duration.ZERO);
    }

    /** Adds a time; it is a failure if it exceeds the limit plus an allowed wait. */
    public synchronized void took(String what, long nanos, Duration waited) {
        long most = limitNanos + waited.toNanos();
        measured(what, nanos, Duration.ofNanos(most));
        if (nanos > most) {
            failed(
                    what,
                    String.format(Locale.ROOT, "took %.1f ms, where %.1f ms are allowed", nanos / 1e6, most / 1e6));
        }
    }

    /** Adds another measured value; the maximum is kept. */
    public synchronized void most(String what, long nanos) {
        notes.merge(what, nanos, Math::max);
    }

    /** Adds a failure. */
    public synchronized void failed(String what, String why) {
        failures.add(what + ": " + why);
        progress.accept(name + ", case " + cases + ": " + failures.getLast());
    }

    @Override
    public synchronized boolean isPassed() {
        return failures.isEmpty();
    }

    /** Returns the result in one line. */
    public synchronized String summary() {
        long[] all = times.values().stream()
                .flatMap(List::stream)
                .mapToLong(Long::longValue)
                .sorted()
                .toArray();
        return String.format(
                Locale.ROOT,
                "%s, %s: median %.2f ms, worst %.2f ms, limit %s; %s",
                count(cases, "case"),
                measured,
                median(all) / 1e6,
                worst(all) / 1e6,
                limit(),
                count(failures.size(), "failure"));
    }

    /** Returns the largest limit of any time, and its components. */
    private String limit() {
        String whole = String.format(Locale.ROOT, "%.0f ms", mostAllowedNanos / 1e6);
        return mostAllowedNanos == limitNanos
                ? whole
                : whole
                        + String.format(
                                Locale.ROOT,
                                " (%.0f ms, and at most %.0f ms until the fault can show)",
                                limitNanos / 1e6,
                                (mostAllowedNanos - limitNanos) / 1e6);
    }

    private static String count(int number, String what) {
        return String.format(Locale.ROOT, "%,d %s", number, what) + (number == 1 ? "" : "s");
    }

    /** Returns the result as a table and a list of failures. */
    public synchronized List<String> details() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "  %-48s %8s %12s %12s", "during", "times", "median ms", "worst ms"));
        times.forEach((what, nanos) -> {
            long[] sorted = sorted(nanos);
            lines.add(String.format(
                    Locale.ROOT,
                    "  %-48s %8d %12.2f %12.2f",
                    what,
                    sorted.length,
                    median(sorted) / 1e6,
                    worst(sorted) / 1e6));
        });
        judged.forEach((what, counts) ->
                lines.add(String.format(Locale.ROOT, "  %-48s %4d right %4d wrong", what, counts[0], counts[1])));
        notes.forEach(
                (what, nanos) -> lines.add(String.format(Locale.ROOT, "  %s: at most %.1f ms", what, nanos / 1e6)));
        failures.stream().limit(MAX_PRINTED).forEach(failure -> lines.add("  failed: " + failure));
        return lines;
    }

    @Override
    public synchronized void write(JsonWriter json) {
        json.beginObject();
        json.field("scenario", name);
        json.field("passed", failures.isEmpty());
        json.field("cases", cases);
        json.field("measured", measured);
        json.field("limitMillis", limitNanos / 1e6);
        json.field("mostAllowedMillis", mostAllowedNanos / 1e6);
        json.beginArray("times");
        times.forEach((what, nanos) -> {
            long[] sorted = sorted(nanos);
            json.beginObject();
            json.field("during", what);
            json.field("count", sorted.length);
            json.field("medianMillis", median(sorted) / 1e6);
            json.field("worstMillis", worst(sorted) / 1e6);
            json.end();
        });
        json.end();
        json.beginArray("judged");
        judged.forEach((what, counts) -> {
            json.beginObject();
            json.field("kind", what);
            json.field("right", counts[0]);
            json.field("wrong", counts[1]);
            json.end();
        });
        json.end();
        json.beginArray("failures");
        failures.forEach(json::value);
        json.end();
        json.end();
    }

    private static long[] sorted(List<Long> nanos) {
        return nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    }

    private static double median(long[] sorted) {
        int middle = sorted.length / 2;
        if (sorted.length == 0) {
            return Double.NaN;
        }
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2.0;
    }

    private static double worst(long[] sorted) {
        return Arrays.stream(sorted).max().orElse(0);
    }
}

package org.mscclj.cli.measure;

import java.time.Duration;
import java.util.Arrays;

/**
 * The number of launches of a sample: large enough for the start of the launches and the clock's resolution to be
 * negligible.
 *
 * @param launches the number of launches in a batch
 * @param size the number of runs of the batch
 */
public record SamplePlan(int launches, SampleSize size) {
    /** Limits of the number of launches in a graph, which needs memory for each. */
    public static final int MAX_GRAPH_LAUNCHES = 100;

    public static final int MIN_GRAPH_LAUNCHES = 4;

    /**
     * Number of launches whose mean estimates the time of one; a single launch measures mainly the different starts of
     * the ranks.
     */
    private static final int ESTIMATE = 16;

    private static final int PROBES = 3;
    private static final double BATCH_NANOS = 5_000_000;
    private static final int MAX_LAUNCHES = 20_000;

    private static final double REPLAY_NANOS = 10_000_000;
    private static final double SAMPLE_NANOS = 10_000_000;
    private static final int MAX_REPLAYS = 1_000;

    /** Between samples the device is idle while the ranks exchange times. */
    private static final double LEAD_IN_NANOS = 2_000_000;

    /** By how much a brief sample is shorter. */
    private static final int BRIEF = 4;

    private static final Duration FIRST_WARM_UP = Duration.ofSeconds(20);

    /**
     * Plans the samples of a call. Launches that are made one by one are warmed up. All ranks must call this, and get
     * the same result.
     *
     * @param first whether no similar call has run before
     */
    public static SamplePlan of(MeasuredCall call, Sampling sampling, boolean first) {
        return switch (sampling.method()) {
            case EAGER ->
                new SamplePlan(
                        between(1, BATCH_NANOS / eagerNanos(call, sampling, first), MAX_LAUNCHES), SampleSize.ONE);
            case GRAPH -> ofGraph(graphNanos(call), sampling);
        };
    }

    /** Plans the samples of a graph of launches that take a time each. */
    public static SamplePlan ofGraph(double nanos, Sampling sampling) {
        int launches = sampling.operations()
                .orElseGet(() -> between(MIN_GRAPH_LAUNCHES, REPLAY_NANOS / nanos, MAX_GRAPH_LAUNCHES));
        double replay = launches * nanos;
        int replays = sampling.replays().orElseGet(() -> between(1, SAMPLE_NANOS / replay, MAX_REPLAYS));
        return new SamplePlan(launches, new SampleSize(between(1, LEAD_IN_NANOS / replay, MAX_REPLAYS), replays));
    }

    /** Returns a plan of shorter samples, for a comparison in which small differences do not count. */
    public SamplePlan brief() {
        return new SamplePlan(
                Math.max(Math.min(launches, MIN_GRAPH_LAUNCHES), launches / 2),
                new SampleSize(Math.ceilDiv(size.leadIn(), 2), Math.ceilDiv(size.repeats(), BRIEF)));
    }

    /** Returns the number of timed launches of a sample. */
    public int timedLaunches() {
        return launches * size.repeats();
    }

    private static int between(int least, double wanted, int most) {
        return (int) Math.clamp(Math.ceil(wanted), least, most);
    }

    /** The first call of an algorithm takes long, since the VM compiles its code meanwhile. */
    private static double eagerNanos(MeasuredCall call, Sampling sampling, boolean first) {
        return call.warmUp(sampling.warmUp()
                .map(WarmUpLength::lasting)
                .orElseGet(() -> first ? WarmUpLength.thorough(FIRST_WARM_UP) : WarmUpLength.brief()));
    }

    private static double graphNanos(MeasuredCall call) {
        try (Batch probe = call.batch(LaunchMethod.GRAPH, ESTIMATE)) {
            SampleSize size = new SampleSize(1, 1);
            return Arrays.stream(call.time(PROBES, probe, size)).min().orElseThrow() / ESTIMATE;
        }
    }
}

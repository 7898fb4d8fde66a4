package org.mscclj.cli.perf;

import java.time.Duration;
import java.util.Arrays;
import org.mscclj.cli.measure.Batch;
import org.mscclj.cli.measure.LaunchMethod;
import org.mscclj.cli.measure.MeasuredCall;
import org.mscclj.cli.measure.WarmUp;

/**
 * Determines the number of launches in a batch: large enough for the clock and the barrier before it to be negligible.
 */
final class LaunchCount {
    /**
     * Number of launches whose mean estimates the time of one; a single launch measures mainly the different starts of
     * the ranks.
     */
    private static final int ESTIMATE = 16;

    private static final double BATCH_NANOS = 5_000_000;
    private static final int MAX_LAUNCHES = 20_000;

    /** Limits of the number of launches in a graph, which needs memory for each. */
    private static final int MAX_GRAPH_LAUNCHES = 1_000;

    private static final int MIN_GRAPH_LAUNCHES = 4;
    private static final int WARM_REPLAYS = 3;
    private static final Duration FIRST_WARM_UP = Duration.ofSeconds(20);

    private LaunchCount() {}

    /**
     * Warms a call up, and returns the number of launches in a batch of it. All ranks must call this, and get the same
     * result.
     *
     * @param first whether no similar call has run before
     */
    static int of(MeasuredCall call, PerfSettings settings, boolean first) {
        return switch (settings.method()) {
            case EAGER -> between(1, BATCH_NANOS / eagerNanos(call, settings, first), MAX_LAUNCHES);
            case GRAPH -> {
                double nanos = graphNanos(call, settings);
                yield settings.graphOperations()
                        .orElseGet(() -> between(MIN_GRAPH_LAUNCHES, BATCH_NANOS / nanos, MAX_GRAPH_LAUNCHES));
            }
        };
    }

    private static int between(int least, double wanted, int most) {
        return (int) Math.clamp(Math.ceil(wanted), least, most);
    }

    /** The first call of an algorithm takes long, since the VM compiles its code meanwhile. */
    private static double eagerNanos(MeasuredCall call, PerfSettings settings, boolean first) {
        if (settings.warmUp().isEmpty()) {
            return call.warmUp(first ? WarmUp.thorough(FIRST_WARM_UP) : WarmUp.brief());
        }
        int launches = settings.warmUp().get();
        if (launches > 0) {
            call.warmUp(launches);
        }
        return call.time(1, ESTIMATE)[0] / ESTIMATE;
    }

    /** No Java code runs between the launches of a graph, so that a few replays suffice. */
    private static double graphNanos(MeasuredCall call, PerfSettings settings) {
        int replays = settings.warmUp()
                .map(launches -> Math.max(1, Math.ceilDiv(launches, ESTIMATE)))
                .orElse(WARM_REPLAYS);
        try (Batch probe = call.batch(LaunchMethod.GRAPH, ESTIMATE)) {
            return Arrays.stream(call.time(replays, probe)).min().orElseThrow() / ESTIMATE;
        }
    }
}

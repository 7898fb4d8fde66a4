package org.mscclj.cli.perf;

import java.time.Duration;
import java.util.Arrays;
import org.mscclj.cli.measure.Batch;
import org.mscclj.cli.measure.LaunchMethod;
import org.mscclj.cli.measure.MeasuredCall;
import org.mscclj.cli.measure.WarmUp;

/** How many launches make a batch: enough for the clock and the meeting before it to count for little. */
final class LaunchCount {
    /** Launches whose mean says how long one takes; one alone is mostly the ranks' different starts. */
    private static final int ESTIMATE = 16;

    private static final double BATCH_NANOS = 5_000_000;
    private static final int MOST_LAUNCHES = 20_000;

    /** A graph takes memory for each of its launches, and is not made of one alone. */
    private static final int MOST_GRAPH_LAUNCHES = 1_000;

    private static final int LEAST_GRAPH_LAUNCHES = 4;
    private static final int WARM_REPLAYS = 3;
    private static final Duration FIRST_WARM_UP = Duration.ofSeconds(20);

    private LaunchCount() {}

    /**
     * Warms a call up, and measures roughly how long it takes. Collective, and equal on all ranks.
     *
     * @param first whether nothing like it has run before
     */
    static int of(MeasuredCall call, PerfSettings settings, boolean first) {
        return switch (settings.method()) {
            case EAGER -> between(1, BATCH_NANOS / eagerNanos(call, settings, first), MOST_LAUNCHES);
            case GRAPH -> {
                double nanos = graphNanos(call, settings);
                yield settings.graphOperations()
                        .orElseGet(() -> between(LEAST_GRAPH_LAUNCHES, BATCH_NANOS / nanos, MOST_GRAPH_LAUNCHES));
            }
        };
    }

    private static int between(int least, double wanted, int most) {
        return (int) Math.clamp(Math.ceil(wanted), least, most);
    }

    /** The first call of an algorithm takes long: what it runs is compiled meanwhile. */
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

    /** No code of ours runs between launches that could be compiled, so that a few replays do. */
    private static double graphNanos(MeasuredCall call, PerfSettings settings) {
        int replays = settings.warmUp()
                .map(launches -> Math.max(1, Math.ceilDiv(launches, ESTIMATE)))
                .orElse(WARM_REPLAYS);
        try (Batch probe = call.batch(LaunchMethod.GRAPH, ESTIMATE)) {
            return Arrays.stream(call.time(replays, probe)).min().orElseThrow() / ESTIMATE;
        }
    }
}

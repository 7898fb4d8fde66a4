package org.mscclj.cli.run;

import java.util.List;
import java.util.Optional;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.cli.check.CallShape;

/**
 * What a run does.
 *
 * @param shapes the calls, at least one, which differ in size only
 * @param options how the group is opened
 * @param backend the backend's name
 * @param iterations timed launches of each size; empty for a number that depends on it
 * @param seed of the inputs
 */
record RunSettings(
        List<CallShape> shapes, LocalGroupOptions options, String backend, Optional<Integer> iterations, long seed) {
    private static final int MOST_ITERATIONS = 20;
    private static final int LEAST_ITERATIONS = 3;
    private static final long FEWER_FROM = 1 << 20;
    private static final long WARM_UP_NANOS = 4_000_000_000L;

    RunSettings {
        shapes = List.copyOf(shapes);
    }

    /** What warming up may take at most: less where only a few launches are asked for. */
    long warmUpNanos() {
        return iterations
                .map(n -> Math.min(WARM_UP_NANOS, n * WARM_UP_NANOS / MOST_ITERATIONS))
                .orElse(WARM_UP_NANOS);
    }

    int iterations(CallShape shape) {
        return iterations.orElseGet(() -> shape.messageBytes() <= FEWER_FROM
                ? MOST_ITERATIONS
                : (int) Math.max(LEAST_ITERATIONS, MOST_ITERATIONS * FEWER_FROM / shape.messageBytes()));
    }
}

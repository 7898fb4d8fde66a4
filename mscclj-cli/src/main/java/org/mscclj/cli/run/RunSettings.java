package org.mscclj.cli.run;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.type.PacketType;
import org.mscclj.cli.check.CallShape;
import org.mscclj.cli.measure.WarmUp;
import org.mscclj.plan.Plan;

/**
 * What a run does.
 *
 * @param plan the plan
 * @param packetType the format of its packets
 * @param shapes the calls, at least one, which differ in size only
 * @param backend the backend's name
 * @param iterations timed launches of each size; empty for a number that depends on it
 * @param replays of a graph that are checked
 * @param seed of the inputs, as this rank would choose it; rank 0's counts
 */
record RunSettings(
        Plan plan,
        PacketType packetType,
        List<CallShape> shapes,
        String backend,
        Optional<Integer> iterations,
        int replays,
        long seed) {
    private static final int MOST_ITERATIONS = 20;
    private static final int LEAST_ITERATIONS = 3;
    private static final long FEWER_FROM = 1 << 20;
    private static final Duration WARM_UP = Duration.ofSeconds(4);

    RunSettings {
        shapes = List.copyOf(shapes);
    }

    /** Less where only a few launches are asked for. */
    WarmUp warmUp() {
        return WarmUp.thorough(iterations
                .filter(n -> n < MOST_ITERATIONS)
                .map(n -> WARM_UP.multipliedBy(n).dividedBy(MOST_ITERATIONS))
                .orElse(WARM_UP));
    }

    int iterations(CallShape shape) {
        return iterations.orElseGet(() -> shape.messageBytes() <= FEWER_FROM
                ? MOST_ITERATIONS
                : (int) Math.max(LEAST_ITERATIONS, MOST_ITERATIONS * FEWER_FROM / shape.messageBytes()));
    }
}

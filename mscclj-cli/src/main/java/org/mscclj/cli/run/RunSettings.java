package org.mscclj.cli.run;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.type.PacketType;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.measure.WarmUpLength;
import org.mscclj.plan.Plan;

/**
 * The settings of a run.
 *
 * @param plan the plan
 * @param packetType the format of its packets
 * @param shapes the calls, at least one, which differ in size only
 * @param backend the backend's name
 * @param iterations timed launches of each size; empty for a number that depends on it
 * @param replays number of checked replays of a graph
 * @param seed this rank's proposal for the seed of the inputs; all ranks use rank 0's
 */
record RunSettings(
        Plan plan,
        PacketType packetType,
        List<CheckedCall> shapes,
        String backend,
        Optional<Integer> iterations,
        int replays,
        long seed) {
    private static final int MAX_ITERATIONS = 20;
    private static final int MIN_ITERATIONS = 3;
    private static final long FEWER_FROM = 1 << 20;
    private static final Duration WARM_UP = Duration.ofSeconds(4);

    RunSettings {
        shapes = List.copyOf(shapes);
    }

    /** Returns the warm-up, which is shorter if only a few launches are requested. */
    WarmUpLength warmUp() {
        return WarmUpLength.thorough(iterations
                .filter(n -> n < MAX_ITERATIONS)
                .map(n -> WARM_UP.multipliedBy(n).dividedBy(MAX_ITERATIONS))
                .orElse(WARM_UP));
    }

    int iterations(CheckedCall shape) {
        return iterations.orElseGet(() -> shape.messageBytes() <= FEWER_FROM
                ? MAX_ITERATIONS
                : (int) Math.max(MIN_ITERATIONS, MAX_ITERATIONS * FEWER_FROM / shape.messageBytes()));
    }
}

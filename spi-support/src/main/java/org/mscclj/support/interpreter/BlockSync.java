package org.mscclj.support.interpreter;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.mscclj.plan.Operation;
import org.mscclj.support.interpreter.Action.Outcome;

/**
 * Barriers and semaphores of the blocks of a rank, in one round. One thread carries out all blocks, so that nothing
 * here is atomic, and every block sees what another has done before.
 */
final class BlockSync {
    private final Map<Integer, Integer> arrivals = new HashMap<>();
    private final int[] semaphores;

    /**
     * Barriers without arrivals, and semaphores.
     *
     * @param initialValues the values of the semaphores
     */
    BlockSync(List<Integer> initialValues) {
        semaphores = initialValues.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Arrives at a barrier, and waits for the other blocks: the k-th barrier of n blocks needs k · n arrivals. */
    Stream<Action> barrier(Operation.Barrier barrier) {
        int blocks = barrier.threadBlocks();
        int[] needed = new int[1];
        return Stream.of(
                Action.of(() -> {
                    int arrived = arrivals.merge(barrier.id(), 1, Integer::sum);
                    needed[0] = (arrived + blocks - 1) / blocks * blocks;
                }),
                Action.until(() -> arrivals.getOrDefault(barrier.id(), 0) >= needed[0]));
    }

    /** Decrements semaphores, each when it is more than 0. */
    Stream<Action> acquire(Operation.SemaphoreAcquire acquire) {
        return acquire.semaphoreIds().stream().map(id -> () -> {
            if (semaphores[id] <= 0) {
                return Outcome.WAITS;
            }
            semaphores[id]--;
            return Outcome.ENDED;
        });
    }

    /** Increments semaphores. */
    Stream<Action> release(Operation.SemaphoreRelease release) {
        return release.semaphoreIds().stream().map(id -> Action.of(() -> semaphores[id]++));
    }
}

package org.mscclj.gpu.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes every block of a context refuse whatever is launched from now on, once what is in flight has ended: graphs may
 * outlive the memory that their kernels use, and only the state that a kernel looks at first is kept for them.
 *
 * <p>Replays of our graphs are waited for by the queue's event. Those of other software are seen by the counts of the
 * blocks' launches. A block that has looked at its state and not yet counted is not seen; that takes it well below a
 * microsecond, so what counts is that nothing was at work a while after the mark was set.
 *
 * <p>Blocks are marked one by one, so a replay that begins meanwhile may wait for its own blocks that were refused.
 * Where all blocks are launched together, that shows: after that while, some have begun a launch which others have not,
 * and never will. Then the others leave it, as after an abort.
 */
final class ReplayRefusal {
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final LaunchQueue queue;
    private final BlockStates states;
    private final AbortWord word;
    private final boolean launchedTogether;

    /**
     * What is to be refused.
     *
     * @param word that of the context
     * @param launchedTogether whether all blocks have part in each launch
     */
    ReplayRefusal(LaunchQueue queue, BlockStates states, AbortWord word, boolean launchedTogether) {
        this.queue = queue;
        this.states = states;
        this.word = word;
        this.launchedTogether = launchedTogether;
    }

    /**
     * Carries it out; false if a launch had not ended in time, and nothing or not all is refused yet. An interrupt does
     * not cut it short, and stays.
     */
    boolean within(long nanos) {
        boolean interrupted = Thread.interrupted();
        try {
            return carryOut(nanos);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean carryOut(long nanos) {
        long start = System.nanoTime();
        queue.refuseReplays();
        while (!queue.isIdle()) {
            if (System.nanoTime() - start > nanos) {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        states.refuse();
        long marked = System.nanoTime();
        while (System.nanoTime() - marked < GRACE_NANOS) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        while (states.areAtWork()) {
            if (launchedTogether && states.areApart()) {
                word.set();
            }
            if (System.nanoTime() - start > nanos) {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return true;
    }
}

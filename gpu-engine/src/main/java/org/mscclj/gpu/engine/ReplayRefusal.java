package org.mscclj.gpu.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.mscclj.gpu.queue.AbortWord;
import org.mscclj.gpu.queue.LaunchQueue;

/**
 * Makes every block of a context refuse all launches from now on, once the work in flight has ended. Graphs may outlive
 * the memory that their kernels use; only the state that a kernel reads first is kept for them.
 *
 * <p>The queue's event covers the replays of graphs that this library captured. The blocks' launch counts show the
 * replays by other software. A block that has read its state and not yet counted is not visible. That interval is well
 * below a microsecond, so the condition is that nothing was at work some time after the mark was set.
 *
 * <p>Blocks are marked one by one, so a replay that begins meanwhile may wait for its own blocks that were refused.
 * Where all blocks are launched together, this can be detected: after the grace time, some blocks have begun a launch
 * that others have not begun and never will. Then the blocks that have begun leave it, as after an abort.
 */
final class ReplayRefusal {
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final LaunchQueue queue;
    private final BlockStates states;
    private final AbortWord word;
    private final boolean launchedTogether;

    /**
     * Creates a refusal.
     *
     * @param word the abort word of the context
     * @param launchedTogether whether all blocks take part in each launch
     */
    ReplayRefusal(LaunchQueue queue, BlockStates states, AbortWord word, boolean launchedTogether) {
        this.queue = queue;
        this.states = states;
        this.word = word;
        this.launchedTogether = launchedTogether;
    }

    /**
     * Refuses launches. Returns false if a launch had not ended in time; then nothing or only a part is refused yet. An
     * interrupt does not shorten the wait, and stays set.
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

package org.mscclj.gpu.engine;

import java.util.concurrent.TimeUnit;
import org.mscclj.gpu.queue.AbortWord;
import org.mscclj.gpu.queue.LaunchQueue;
import org.mscclj.spi.waiting.Backoff;

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
        Backoff backoff = Backoff.every(PAUSE_NANOS);
        backoff.start(nanos);
        queue.refuseReplays();
        if (!backoff.awaitUninterruptibly(queue::isIdle)) {
            return false;
        }
        states.refuse();
        Backoff.delay(GRACE_NANOS);
        return backoff.awaitUninterruptibly(this::isOver);
    }

    private boolean isOver() {
        if (!states.areAtWork()) {
            return true;
        }
        if (launchedTogether && states.areApart()) {
            word.set();
        }
        return false;
    }
}

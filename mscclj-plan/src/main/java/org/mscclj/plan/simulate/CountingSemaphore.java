package org.mscclj.plan.simulate;

import java.util.ArrayDeque;
import java.util.Deque;

/** A semaphore of a rank. Who has waited longest takes first. */
final class CountingSemaphore {
    private final Deque<Integer> releases = new ArrayDeque<>();
    private final Deque<BlockRun> waiters = new ArrayDeque<>();

    CountingSemaphore(int initial) {
        for (int i = 0; i < initial; i++) {
            releases.add(SpanLog.NONE);
        }
    }

    Deque<BlockRun> waiters() {
        return waiters;
    }

    /** Takes one, or waits for one. */
    boolean acquire(BlockRun block) {
        if (releases.isEmpty()) {
            waiters.add(block);
            return false;
        }
        block.acquired(releases.removeFirst(), false);
        return true;
    }

    void release(int span) {
        if (waiters.isEmpty()) {
            releases.add(span);
        } else {
            waiters.removeFirst().acquired(span, true);
        }
    }
}

package org.mscclj.analysis.simulate;

import java.util.ArrayDeque;
import java.util.Deque;

/** A counting semaphore of a rank. Waiters are served in the order of their arrival. */
final class CountingSemaphore {
    /** Count that is left of the initial value. */
    private int initial;

    private final Deque<Integer> releases = new ArrayDeque<>();
    private final Deque<SemaphoreWait> waiters = new ArrayDeque<>();

    CountingSemaphore(int initial) {
        this.initial = initial;
    }

    /** Acquires the semaphore, or enqueues the wait. */
    boolean acquire(SemaphoreWait wait) {
        if (initial > 0) {
            initial--;
            wait.notifyArrival(SpanLog.NONE, false);
            return true;
        }
        if (releases.isEmpty()) {
            waiters.add(wait);
            return false;
        }
        wait.notifyArrival(releases.removeFirst(), false);
        return true;
    }

    void release(int span) {
        if (waiters.isEmpty()) {
            releases.add(span);
        } else {
            waiters.removeFirst().notifyArrival(span, true);
        }
    }
}

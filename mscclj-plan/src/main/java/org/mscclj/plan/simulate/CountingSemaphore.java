package org.mscclj.plan.simulate;

import java.util.ArrayDeque;
import java.util.Deque;

/** A semaphore of a rank. Who has waited longest takes first. */
final class CountingSemaphore {
    /** How many can be taken that nobody has released. */
    private int initial;

    private final Deque<Integer> releases = new ArrayDeque<>();
    private final Deque<SemaphoreWait> waiters = new ArrayDeque<>();

    CountingSemaphore(int initial) {
        this.initial = initial;
    }

    /** Takes one, or waits for one. */
    boolean acquire(SemaphoreWait wait) {
        if (initial > 0) {
            initial--;
            wait.told(SpanLog.NONE, false);
            return true;
        }
        if (releases.isEmpty()) {
            waiters.add(wait);
            return false;
        }
        wait.told(releases.removeFirst(), false);
        return true;
    }

    void release(int span) {
        if (waiters.isEmpty()) {
            releases.add(span);
        } else {
            waiters.removeFirst().told(span, true);
        }
    }
}

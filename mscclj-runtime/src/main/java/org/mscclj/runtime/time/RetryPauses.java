package org.mscclj.runtime.time;

import java.util.concurrent.locks.LockSupport;
import org.mscclj.api.error.AbortedException;

/**
 * Pauses between attempts at an operation that no other thread reports as possible. Each pause is twice as long as the
 * one before, up to a limit. Used by one thread.
 */
public final class RetryPauses {
    private final Deadline deadline;
    private final long longest;
    private long next;

    /** Creates the pauses up to a deadline. */
    public RetryPauses(Deadline deadline, long firstNanos, long longestNanos) {
        this.deadline = deadline;
        this.next = firstNanos;
        this.longest = longestNanos;
    }

    /**
     * Pauses before the next attempt.
     *
     * @param doing the operation, for messages, for example "connecting to rank 3"
     * @return false, without a pause, if the deadline has passed
     * @throws AbortedException if the thread is interrupted; it stays interrupted
     */
    public boolean pause(String doing) {
        if (Thread.currentThread().isInterrupted()) {
            throw new AbortedException("interrupted while " + doing);
        }
        long left = deadline.left();
        if (left == 0) {
            return false;
        }
        LockSupport.parkNanos(this, Math.min(left, next));
        next = Math.min(2 * next, longest);
        return true;
    }
}

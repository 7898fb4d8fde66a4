package org.mscclj.backend.host.schedule;

/**
 * Counts what has ended, and lets threads wait for a count without allocating.
 *
 * <p>No wake-up is lost: a waiter announces itself in {@code waiters} and then reads {@code ended}; the thread that ends something
 * writes {@code ended} and then reads {@code waiters}. Both fields are volatile, so at least one of the two sees the other.
 */
public final class EndCounter {
    private volatile long ended;
    private volatile int waiters;

    /** A count of 0. */
    public EndCounter() {}

    /** The count; acquires. */
    public long count() {
        return ended;
    }

    /** Whether the count has reached a number; acquires. */
    public boolean reached(long number) {
        return ended >= number;
    }

    /** Raises the count to a number, releasing; one thread at a time. */
    public void set(long number) {
        ended = number;
        if (waiters > 0) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    /** Blocks until the count has reached a number, or the time has passed. An interrupt ends the wait and stays set. */
    @SuppressWarnings({"NonAtomicVolatileUpdate", "WaitNotInLoop"}) // under the monitor; callers look again
    void park(long number, long nanos) {
        if (nanos <= 0) {
            return;
        }
        synchronized (this) {
            waiters++;
            try {
                if (ended < number) {
                    wait(nanos / 1_000_000, (int) (nanos % 1_000_000));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                waiters--;
            }
        }
    }
}

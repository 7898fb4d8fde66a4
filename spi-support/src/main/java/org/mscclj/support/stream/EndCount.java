package org.mscclj.support.stream;

import java.util.concurrent.TimeUnit;

/**
 * A count of ended work, which only grows. A thread that sees a count also sees what was done before it was counted.
 * Safe for use by several threads.
 */
public final class EndCount {
    private volatile long ended;

    /** A count of nothing. */
    public EndCount() {}

    /** The number of ended works. */
    public long ended() {
        return ended;
    }

    /** Counts one more, and wakes the threads that wait. */
    public synchronized void increment() {
        ended++;
        notifyAll();
    }

    /**
     * Blocks until a number of works have ended.
     *
     * @return false if this takes longer than {@code nanos}, or the thread is interrupted, which it stays
     */
    public synchronized boolean await(long number, long nanos) {
        long start = System.nanoTime();
        while (ended < number) {
            long left = nanos - (System.nanoTime() - start);
            if (left <= 0) {
                return false;
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    /** Blocks until a number of works have ended, also if the thread is interrupted, which it stays. */
    public void awaitUninterruptibly(long number) {
        boolean interrupted = false;
        while (!await(number, Long.MAX_VALUE)) {
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

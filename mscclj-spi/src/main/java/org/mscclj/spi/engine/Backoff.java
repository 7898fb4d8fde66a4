package org.mscclj.spi.engine;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.mscclj.api.error.AbortedException;

/**
 * How a host thread waits for memory that somebody else will change: it spins, then yields, then naps. Naps double up
 * to a limit, so that a wait takes at most about twice as long as it must, and many waiters on few cores do not keep
 * those from working who could end the wait. Belongs to one thread at a time; allocates nothing.
 */
public final class Backoff {
    private static final int SPINS = 100;
    private static final int YIELDS = 50;
    private static final int YIELDS_FOR_DEVICES = 500;
    private static final long FIRST_NAP_NANOS = 20_000;
    private static final long LONGEST_NAP_NANOS = 1_000_000;
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private final int mostSpins;
    private int pauses;
    private long nap = FIRST_NAP_NANOS;
    private long start = System.nanoTime();
    private long timeoutNanos = Long.MAX_VALUE;

    /** Without a time limit. */
    public Backoff() {
        this(YIELDS);
    }

    private Backoff(int yields) {
        this.mostSpins = SPINS + yields;
    }

    /**
     * For what a device does by itself, without a time limit: most of it takes some tens of microseconds, in which a
     * nap would take longer than what it waits for, and the waiting thread keeps nobody from working who could end the
     * wait. So it yields for longer.
     */
    public static Backoff forDevices() {
        return new Backoff(YIELDS_FOR_DEVICES);
    }

    /** Starts a wait without a time limit. */
    public void reset() {
        pauses = 0;
        nap = FIRST_NAP_NANOS;
        start = System.nanoTime();
        timeoutNanos = Long.MAX_VALUE;
    }

    /** Starts a wait. */
    public void start(Duration timeout) {
        start(timeout.compareTo(LONGEST) < 0 ? timeout.toNanos() : Long.MAX_VALUE);
    }

    /** Starts a wait of so many nanoseconds at most. */
    public void start(long nanos) {
        reset();
        timeoutNanos = nanos;
    }

    /** Says that something has happened: the thread spins again before it naps. The time limit stays. */
    public void progressed() {
        pauses = 0;
        nap = FIRST_NAP_NANOS;
    }

    /** Spins or yields once; false if the thread has done so long enough to sleep now. */
    public boolean spin() {
        if (pauses >= mostSpins) {
            return false;
        }
        if (pauses++ < SPINS) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
        return true;
    }

    /** How long to sleep now, in nanoseconds; longer each time. */
    public long nextNap() {
        long now = nap;
        nap = Math.min(2 * now, LONGEST_NAP_NANOS);
        return now;
    }

    /**
     * Waits a little.
     *
     * @return false if the time limit has passed
     * @throws AbortedException if the thread is interrupted, which it stays
     */
    public boolean pause() {
        if (spin()) {
            // reading the clock takes about as long as a spin
            return (pauses & 15) != 0 || timeoutNanos - (System.nanoTime() - start) > 0;
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new AbortedException("interrupted while waiting for a peer or for the proxy");
        }
        long left = timeoutNanos - (System.nanoTime() - start);
        if (left <= 0) {
            return false;
        }
        LockSupport.parkNanos(this, Math.min(left, nextNap()));
        return true;
    }
}

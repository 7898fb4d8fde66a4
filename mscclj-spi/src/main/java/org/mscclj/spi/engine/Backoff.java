package org.mscclj.spi.engine;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.mscclj.api.error.AbortedException;

/**
 * The idle strategy of a host thread that waits for a change of memory by another thread, process or device: it spins,
 * then yields, then naps. Naps double up to a limit, so that a wait takes at most about twice as long as necessary, and
 * many waiters on few cores do not take processor time from the threads that end the wait. One thread at a time uses
 * it; allocates nothing.
 */
public final class Backoff {
    private static final int SPINS = 100;
    private static final int YIELDS = 50;
    private static final int YIELDS_FOR_DEVICES = 500;
    private static final long FIRST_NAP_NANOS = 20_000;
    private static final long MAX_NAP_NANOS = 1_000_000;
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
     * A strategy without a time limit for work that a device does by itself. Most such work takes some tens of
     * microseconds, less than a nap, and the waiting thread takes no processor time from the device. So the thread
     * yields for longer.
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

    /** Starts a wait of at most this number of nanoseconds. */
    public void start(long nanos) {
        reset();
        timeoutNanos = nanos;
    }

    /** Notes progress: the thread spins again before it naps. The time limit stays. */
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

    /** The duration of the next nap, in nanoseconds; longer each time. */
    public long nextNap() {
        long now = nap;
        nap = Math.min(2 * now, MAX_NAP_NANOS);
        return now;
    }

    /**
     * Pauses once: spins, yields or naps.
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

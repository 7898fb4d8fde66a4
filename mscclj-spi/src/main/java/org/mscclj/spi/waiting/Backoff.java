package org.mscclj.spi.waiting;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.mscclj.api.error.AbortedException;

/**
 * The idle strategy of a host thread that waits for a change of memory by another thread, process or device: it spins,
 * then yields, then naps. Naps double up to a limit, so that a wait takes at most about twice as long as necessary, and
 * many waiters on few cores do not take processor time from the threads that end the wait. A strategy for rare changes
 * only naps. One thread at a time uses an object; only its creation allocates.
 */
public final class Backoff {
    private static final int SPINS = 100;
    private static final int YIELDS = 50;
    private static final int YIELDS_FOR_DEVICES = 500;
    private static final long FIRST_NAP_NANOS = 20_000;
    private static final long MAX_NAP_NANOS = 1_000_000;
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private final int mostSpins;
    private final long firstNap;
    private final long maxNap;
    private int pauses;
    private long nap;
    private long start = System.nanoTime();
    private long timeoutNanos = Long.MAX_VALUE;

    /** Without a time limit. */
    public Backoff() {
        this(SPINS + YIELDS, FIRST_NAP_NANOS, MAX_NAP_NANOS);
    }

    private Backoff(int spins, long firstNapNanos, long maxNapNanos) {
        this.mostSpins = spins;
        this.firstNap = firstNapNanos;
        this.maxNap = maxNapNanos;
        this.nap = firstNapNanos;
    }

    /**
     * A strategy without a time limit for work that a device does by itself. Most such work takes some tens of
     * microseconds, less than a nap, and the waiting thread takes no processor time from the device. So the thread
     * yields for longer.
     */
    public static Backoff forDevices() {
        return new Backoff(SPINS + YIELDS_FOR_DEVICES, FIRST_NAP_NANOS, MAX_NAP_NANOS);
    }

    /** A strategy without a time limit that only naps: first this long, then longer up to a limit. */
    public static Backoff napping(long firstNapNanos, long maxNapNanos) {
        return new Backoff(0, firstNapNanos, maxNapNanos);
    }

    /** A strategy without a time limit that only naps, always for this long. */
    public static Backoff every(long nanos) {
        return napping(nanos, nanos);
    }

    /**
     * Naps once, without a strategy. The nap is shorter if the thread is unparked or interrupted, and may be shorter
     * without a reason.
     */
    public static void nap(long nanos) {
        LockSupport.parkNanos(nanos);
    }

    /** Lets this time pass. An interrupt does not shorten it; the thread stays interrupted. */
    public static void delay(long nanos) {
        Backoff backoff = every(nanos);
        backoff.start(nanos);
        boolean _ = backoff.awaitUninterruptibly(() -> false);
    }

    /** Starts a wait without a time limit. */
    public void reset() {
        progressed();
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

    /** Notes progress: the thread spins again before it naps, and its naps are short again. The time limit stays. */
    public void progressed() {
        pauses = 0;
        nap = firstNap;
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
        nap = now > maxNap / 2 ? maxNap : 2 * now;
        return now;
    }

    /**
     * Pauses once: spins, yields or naps.
     *
     * @return false if the time limit has passed
     * @throws AbortedException if the thread is interrupted, which it stays
     */
    public boolean pause() {
        return pause("waiting for a peer or for the proxy");
    }

    /**
     * Pauses once: spins, yields or naps.
     *
     * @param doing what the thread does, for messages, for example "connecting to rank 3"
     * @return false if the time limit has passed
     * @throws AbortedException if the thread is interrupted, which it stays
     */
    public boolean pause(String doing) {
        if (spin()) {
            return mayGoOn();
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new AbortedException("interrupted while " + doing);
        }
        return napOnce();
    }

    /**
     * Waits until a condition holds. An interrupt does not end the wait; the thread stays interrupted.
     *
     * @return false if the condition did not hold when the time limit had passed
     */
    public boolean awaitUninterruptibly(BooleanSupplier condition) {
        boolean interrupted = false;
        try {
            while (!condition.getAsBoolean()) {
                if (spin()) {
                    if (!mayGoOn()) {
                        return false;
                    }
                } else {
                    interrupted |= Thread.interrupted(); // with it set, a nap ends at once
                    if (!napOnce()) {
                        return false;
                    }
                }
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Whether time is left after a spin. Reading the clock takes about as long as a spin, so it is read now and then.
     */
    private boolean mayGoOn() {
        return (pauses & 15) != 0 || left() > 0;
    }

    private boolean napOnce() {
        long left = left();
        if (left <= 0) {
            return false;
        }
        LockSupport.parkNanos(this, Math.min(left, nextNap()));
        return true;
    }

    private long left() {
        return timeoutNanos - (System.nanoTime() - start);
    }
}

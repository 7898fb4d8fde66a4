package org.mscclj.runtime.time;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Remaining time of a wait, without the time in which this process did not run: after a virtual machine was suspended,
 * or a job was stopped by a signal, the ranks must not be declared late when the process goes on. The waiting thread
 * checks at least every {@link #LOOK}; if a check comes much later than that, at most {@link #MAX_NANOS} are counted
 * for it. Used by one thread.
 */
public final class RunningDeadline {
    /** Maximum duration of a piece of a wait, after which {@link #left} must be called again. */
    public static final Duration LOOK = Duration.ofMillis(100);

    /**
     * Maximum time that is counted for a longer pause. Busy machines keep threads waiting for as long without stopping
     * them.
     */
    public static final long MAX_NANOS = 1_000_000_000;

    private final LongSupplier clock;
    private final Duration limit;
    private long left;
    private long seen;

    private RunningDeadline(Duration limit, LongSupplier clock) {
        this.clock = clock;
        this.limit = limit;
        this.left = Math.max(0, TimeUnit.NANOSECONDS.convert(limit));
        this.seen = clock.getAsLong();
    }

    /** Returns a deadline this long from now. */
    public static RunningDeadline after(Duration limit) {
        return new RunningDeadline(limit, System::nanoTime);
    }

    /** Returns a deadline with the test's clock, in nanoseconds. */
    static RunningDeadline after(Duration limit, LongSupplier clock) {
        return new RunningDeadline(limit, clock);
    }

    /** Returns the whole limit, for messages. */
    public Duration limit() {
        return limit;
    }

    /** Returns the remaining nanoseconds; 0 if the time is over. */
    public long left() {
        long now = clock.getAsLong();
        left = Math.max(0, left - Math.min(now - seen, MAX_NANOS));
        seen = now;
        return left;
    }

    /**
     * Returns the duration of the next piece of the wait, in nanoseconds: the remaining time, but at most
     * {@link #LOOK}.
     */
    public long piece() {
        return Math.min(left(), LOOK.toNanos());
    }
}

package org.mscclj.runtime.time;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How long a wait may still take, without the time in which this process did not run: a virtual machine that was
 * suspended, or a job that was stopped by a signal, must not take its ranks for late when it goes on. Whoever waits
 * looks at least every {@link #LOOK}; a look that comes much later than that counts no more than {@link #MOST_NANOS}.
 * Used by one thread.
 */
public final class RunningDeadline {
    /** How long a piece of a wait may take, after which {@link #left} is asked again. */
    public static final Duration LOOK = Duration.ofMillis(100);

    /** What counts of a longer pause: busy machines keep threads waiting for as long, and that is no stop. */
    public static final long MOST_NANOS = 1_000_000_000;

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

    /** A limit from now on. */
    public static RunningDeadline after(Duration limit) {
        return new RunningDeadline(limit, System::nanoTime);
    }

    /** With a clock of a test's, in nanoseconds. */
    static RunningDeadline after(Duration limit, LongSupplier clock) {
        return new RunningDeadline(limit, clock);
    }

    /** The whole limit, for messages. */
    public Duration limit() {
        return limit;
    }

    /** Nanoseconds that are left; 0 if the time is over. */
    public long left() {
        long now = clock.getAsLong();
        left = Math.max(0, left - Math.min(now - seen, MOST_NANOS));
        seen = now;
        return left;
    }

    /** The same, but no more than {@link #LOOK}: for the next piece of the wait. */
    public long piece() {
        return Math.min(left(), LOOK.toNanos());
    }
}

package org.mscclj.runtime.time;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A time by which an event must have happened. It passes also while this process is stopped; a {@link RunningDeadline}
 * does not. The number of nanoseconds may overflow, so only differences of deadlines can be compared.
 *
 * @param nanos the time, as of {@link System#nanoTime}
 */
public record Deadline(long nanos) {
    /** Maximum limit: it is decades long, and differences of deadlines still fit. */
    private static final long LONGEST = Long.MAX_VALUE / 4;

    /** Returns a deadline this long from now. A limit of more than some decades is cut to that. */
    public static Deadline after(Duration limit) {
        return new Deadline(System.nanoTime() + Math.clamp(TimeUnit.NANOSECONDS.convert(limit), 0, LONGEST));
    }

    /** Returns the remaining nanoseconds; 0 if the deadline has passed. */
    public long left() {
        return Math.max(0, nanos - System.nanoTime());
    }

    /** Returns a deadline that is later by this duration. */
    public Deadline later(Duration more) {
        return new Deadline(nanos + TimeUnit.NANOSECONDS.convert(more));
    }

    /** Returns the deadline that passes first. */
    public Deadline earlier(Deadline other) {
        return nanos - other.nanos <= 0 ? this : other;
    }
}

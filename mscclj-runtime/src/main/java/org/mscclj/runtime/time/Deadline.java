package org.mscclj.runtime.time;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A time by which something must have happened. Such times may lie beyond the greatest number, so that only their
 * differences can be compared.
 *
 * @param nanos when, as of {@link System#nanoTime}
 */
public record Deadline(long nanos) {
    /** Decades, and differences of deadlines still fit. */
    private static final long LONGEST = Long.MAX_VALUE / 4;

    /** A deadline from now on; longer ones than anybody waits for are cut. */
    public static Deadline after(Duration limit) {
        return new Deadline(System.nanoTime() + Math.clamp(TimeUnit.NANOSECONDS.convert(limit), 0, LONGEST));
    }

    /** Nanoseconds that are left; 0 if it has passed. */
    public long left() {
        return Math.max(0, nanos - System.nanoTime());
    }

    /** The time so much later. */
    public Deadline later(Duration more) {
        return new Deadline(nanos + TimeUnit.NANOSECONDS.convert(more));
    }

    /** The one that passes first. */
    public Deadline earlier(Deadline other) {
        return nanos - other.nanos <= 0 ? this : other;
    }
}

package org.mscclj.transport.tcp;

import java.time.Duration;

/** A time limit for an event, counted from the construction of this object. */
final class Deadline implements EventLoop.Timed {
    private final long nanos;
    private final Runnable missed;

    /** Creates a deadline. The event loop's thread runs {@code missed} when it passes. */
    Deadline(Duration limit, Runnable missed) {
        this.nanos = System.nanoTime() + limit.toNanos();
        this.missed = missed;
    }

    @Override
    public long deadline() {
        return nanos;
    }

    @Override
    public void expired() {
        missed.run();
    }
}

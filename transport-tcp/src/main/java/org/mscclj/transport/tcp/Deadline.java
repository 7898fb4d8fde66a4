package org.mscclj.transport.tcp;

import java.time.Duration;

/** A time by which something must have happened, counted from when this was made. */
final class Deadline implements EventLoop.Timed {
    private final long nanos;
    private final Runnable missed;

    /** {@code missed} is run by the loop's thread. */
    Deadline(Duration patience, Runnable missed) {
        this.nanos = System.nanoTime() + patience.toNanos();
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

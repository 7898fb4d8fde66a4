package org.mscclj.transport.tcp.loop;

import java.time.Duration;

/** A task that the loop runs when a time limit has passed, counted from the construction of this object. */
public final class TimedTask implements EventLoop.Timed {
    private final long nanos;
    private final Runnable task;

    /** Creates a task; the loop must {@linkplain EventLoop#watch watch} it. */
    public TimedTask(Duration limit, Runnable task) {
        this.nanos = System.nanoTime() + limit.toNanos();
        this.task = task;
    }

    @Override
    public long deadline() {
        return nanos;
    }

    @Override
    public void expired() {
        task.run();
    }
}

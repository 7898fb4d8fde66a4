package org.mscclj.cli.measure;

import java.time.Duration;

/** Launches of an operation that are timed together. Close it before the operation. */
public interface Batch extends AutoCloseable {
    /** Returns the number of launches. */
    int launches();

    /**
     * Performs all launches, and returns when they have ended.
     *
     * @param timeout the timeout of each launch
     */
    void run(Duration timeout);

    /**
     * Performs all launches several times, and returns when they have ended.
     *
     * @param timeout the timeout of each launch
     * @return the nanoseconds of the timed runs
     */
    long time(SampleSize size, Duration timeout);

    /** Releases its resources. */
    @Override
    void close();
}

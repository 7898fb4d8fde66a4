package org.mscclj.cli.measure;

import java.time.Duration;

/** Launches of an operation that are timed together. Close it before the operation. */
public interface Batch extends AutoCloseable {
    /** How many there are. */
    int launches();

    /**
     * Makes all launches, and returns when they have ended.
     *
     * @param timeout of each launch
     */
    void run(Duration timeout);

    /** Frees what it needed. */
    @Override
    void close();
}

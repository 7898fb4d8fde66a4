package org.mscclj.api.device;

/** A point in a stream's work. An event that was never recorded counts as reached. */
public interface Event extends AutoCloseable {
    /**
     * Whether everything before the latest recording has ended.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if the CPU backend finds that the latest recording was
     *     captured, so that it is part of a graph
     * @throws org.mscclj.api.error.BackendException if a driver finds that
     */
    boolean isReached();

    /** Frees the event. Idempotent. */
    @Override
    void close();
}

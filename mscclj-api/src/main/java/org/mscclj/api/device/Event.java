package org.mscclj.api.device;

/** A point in the work of a stream. An event that was never recorded counts as reached. */
public interface Event extends AutoCloseable {
    /**
     * Whether everything before the latest recording has ended.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if the CPU backend finds that the latest recording was
     *     captured, so that it is part of a graph
     * @throws org.mscclj.api.error.BackendException if a driver finds it
     */
    boolean isReached();

    /** Frees the event. Idempotent. */
    @Override
    void close();
}

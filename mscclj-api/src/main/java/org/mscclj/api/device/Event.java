package org.mscclj.api.device;

/** A point in a stream's work. An event that was never recorded counts as reached. */
public interface Event extends AutoCloseable {
    /** Whether everything before the latest recording has ended. */
    boolean isReached();

    /** Frees the event. Idempotent. */
    @Override
    void close();
}

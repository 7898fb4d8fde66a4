package org.mscclj.api.device;

import java.time.Duration;

/**
 * A queue of work that a device carries out in order. Work on different streams may run at the same time;
 * {@link Event}s order them. Safe for use by several threads; what one thread enqueues stays in its order.
 */
public interface Stream extends AutoCloseable {
    /** The device whose work this is. */
    Device device();

    /** Copies between buffers of equal size once everything enqueued before has ended. Does not block. */
    void copy(DeviceBuffer source, DeviceBuffer destination);

    /** Marks this point of the stream: the event is reached once everything enqueued before has ended. */
    void record(Event event);

    /** Work enqueued from now on starts only after the event's latest recording at this moment is reached. */
    void await(Event event);

    /**
     * Blocks until everything enqueued so far has ended.
     *
     * @throws org.mscclj.api.error.OperationTimeoutException if that takes longer
     */
    void synchronize(Duration timeout);

    /** Waits for what was enqueued and frees the stream. Idempotent. */
    @Override
    void close();
}

package org.mscclj.spi.device;

import org.mscclj.api.device.Stream;

/**
 * Measures the time that a device takes for work of a stream, by the device's own clock: neither the start of the work
 * by the host nor the host's wait for its end counts. One thread uses it.
 */
public interface StreamTimer extends AutoCloseable {
    /** Starts at this point of a stream: once all work enqueued before has ended. Does not block. */
    void start(Stream stream);

    /** Stops at this point of the same stream. Does not block. */
    void stop(Stream stream);

    /**
     * Returns the time from the latest start to the latest stop.
     *
     * @throws org.mscclj.api.error.BackendException if the stream has not reached them
     */
    long nanos();

    /** Frees the timer. Idempotent. */
    @Override
    void close();
}

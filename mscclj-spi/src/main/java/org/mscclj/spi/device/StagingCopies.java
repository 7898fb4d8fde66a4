package org.mscclj.spi.device;

import org.mscclj.api.device.DeviceBuffer;

/**
 * Copies between memory of a device and memory of {@link org.mscclj.api.device.Device#allocateHost}, one after the
 * other. They do not count as uses of buffers: the caller keeps both buffers open until a copy has ended. Safe for use
 * by several threads.
 */
public interface StagingCopies extends AutoCloseable {
    /**
     * Starts a copy between buffers of equal size. The copy waits neither for kernels nor for other streams, and
     * aligned units of 8 bytes arrive whole.
     *
     * @return the number of the copy, from 1
     * @throws org.mscclj.api.error.BackendException if the device fails
     */
    long start(DeviceBuffer source, DeviceBuffer destination);

    /**
     * Returns the number up to which all copies have ended; acquires what they have written. Never blocks.
     *
     * @throws org.mscclj.api.error.BackendException if a copy has failed
     */
    long ended();

    /** Waits until all copies have ended, and frees the resources. Idempotent. */
    @Override
    void close();
}

package org.mscclj.spi.engine;

/** What kernels know of a channel or window, in memory of the device. */
public interface DeviceHandle extends AutoCloseable {
    /** Where it lies, as the device sees it: what kernels are given. */
    long address();

    /** Frees it. Kernels that use it must have ended. Idempotent. */
    @Override
    void close();
}

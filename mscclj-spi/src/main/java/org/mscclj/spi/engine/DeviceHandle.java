package org.mscclj.spi.engine;

/** The structure in device memory by which kernels access a channel or a window. */
public interface DeviceHandle extends AutoCloseable {
    /** Its device address, which is passed to kernels. */
    long address();

    /** Frees the structure. Kernels that use it must have ended. Idempotent. */
    @Override
    void close();
}

package org.mscclj.api.device;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.error.UnsupportedException;

/**
 * A range of device memory. Safe for use by several threads; the output of an operation in flight may be read only
 * after the operation has ended.
 */
public interface DeviceBuffer extends AutoCloseable {
    /** The start of the buffer, as a device address. */
    long address();

    /** Its size, in bytes. */
    long byteSize();

    /**
     * Returns a part of this buffer. The part shares the memory and becomes invalid when this buffer is closed; closing
     * the part does nothing.
     *
     * @param offset its start in this buffer, in bytes
     * @param bytes its size, in bytes
     * @throws org.mscclj.api.error.InvalidArgumentException if the part is not inside this buffer
     */
    DeviceBuffer slice(long offset, long bytes);

    /**
     * The memory itself, for direct access by the host.
     *
     * @throws UnsupportedException if the host cannot access it; use {@link #copyFrom} and {@link #copyTo}
     */
    MemorySegment segment();

    /**
     * Fills the buffer from host memory, blocking until done.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if the sizes differ
     */
    void copyFrom(MemorySegment source);

    /**
     * Copies the buffer to host memory, blocking until done.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if the sizes differ
     */
    void copyTo(MemorySegment destination);

    /**
     * Holds the memory for another user, such as other software that received it: closing the buffer, or the buffer
     * that it is a part of, throws until the result is closed.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if the buffer is closed
     * @throws UnsupportedException if buffers of this kind cannot be held
     */
    default Hold hold() {
        throw new UnsupportedException("buffers of kind " + getClass().getName() + " cannot be held");
    }

    /** Keeps a buffer from being closed. Safe for use by several threads. */
    interface Hold extends AutoCloseable {
        /** Ends the hold. Never throws, and never blocks. Idempotent. */
        @Override
        void close();
    }

    /**
     * Frees the memory. Idempotent.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if prepared operations, registrations or {@linkplain #hold
     *     holds} still use it (close them first); or if a collective on it is in flight
     */
    @Override
    void close();
}

package org.mscclj.api.device;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.error.UnsupportedException;

/**
 * A range of device memory. Safe for use by several threads; what an operation in flight writes may be read only after
 * it has ended.
 */
public interface DeviceBuffer extends AutoCloseable {
    /** Where it starts, as the device sees it. */
    long address();

    /** Its size, in bytes. */
    long byteSize();

    /**
     * A part of this buffer. It shares the memory and becomes invalid when this buffer is closed; closing it does
     * nothing.
     *
     * @param offset where it starts, in bytes
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
     * Keeps the memory for somebody else, such as other software that it was handed to: closing the buffer, or the one
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
        /** Ends it; never throws, and never blocks. Idempotent. */
        @Override
        void close();
    }

    /**
     * Frees the memory. Idempotent.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if prepared operations, registrations or {@linkplain #hold
     *     holds} still use it, which must be closed first; or if a collective on it is in flight
     */
    @Override
    void close();
}

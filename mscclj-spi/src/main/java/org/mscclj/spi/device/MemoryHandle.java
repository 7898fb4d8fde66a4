package org.mscclj.spi.device;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A description of a rank's memory that can be sent to a peer, in this process or another.
 *
 * @param backend the backend that created it
 * @param bytes data that only that backend interprets
 */
@SuppressWarnings("ArrayRecordComponent") // copied in and out, and compared by content
public record MemoryHandle(String backend, byte[] bytes) {
    /** Copies the bytes. */
    public MemoryHandle {
        bytes = bytes.clone();
    }

    @Override
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Number of bytes. */
    public int byteSize() {
        return bytes.length;
    }

    /** The bytes as a read-only segment, without a copy. */
    public MemorySegment segment() {
        return MemorySegment.ofArray(bytes).asReadOnly();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MemoryHandle handle
                && backend.equals(handle.backend)
                && Arrays.equals(bytes, handle.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * backend.hashCode() + Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "MemoryHandle[" + backend + ", " + bytes.length + " bytes]";
    }
}

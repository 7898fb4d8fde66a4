package org.mscclj.spi.device;

/** A peer's memory, mapped. */
public interface MappedMemory extends AutoCloseable {
    /** Where it starts, as this rank's device sees it. */
    long address();

    /** Its size, in bytes. */
    long byteSize();

    /** Unmaps it; the peer's memory stays. Idempotent. */
    @Override
    void close();
}

package org.mscclj.spi.device;

/** A mapping of a peer's memory. */
public interface MappedMemory extends AutoCloseable {
    /** Its start, as an address of this rank's device. */
    long address();

    /** Its size, in bytes. */
    long byteSize();

    /** Unmaps the memory; the peer's memory stays allocated. Idempotent. */
    @Override
    void close();
}

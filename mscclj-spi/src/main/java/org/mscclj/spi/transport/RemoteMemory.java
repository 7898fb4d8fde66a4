package org.mscclj.spi.transport;

/** A peer's registered memory. */
public interface RemoteMemory extends AutoCloseable {
    /** Its size, in bytes. */
    long byteSize();

    /** Releases the description. Idempotent. */
    @Override
    void close();
}

package org.mscclj.spi.transport;

/** Memory of this rank, registered with a transport. */
public interface LocalMemory extends AutoCloseable {
    /** Its size, in bytes. */
    long byteSize();

    /** The description by which a peer addresses the memory. */
    byte[] describe();

    /** Ends the registration. Idempotent. */
    @Override
    void close();
}

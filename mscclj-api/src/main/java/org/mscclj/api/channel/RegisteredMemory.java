package org.mscclj.api.channel;

/** Memory that channels can access: this rank's own, or a peer's whose description was received. */
public interface RegisteredMemory extends AutoCloseable {
    /** The rank that owns the memory. */
    int rank();

    /** Its size, in bytes. */
    long byteSize();

    /** Ends the registration; the memory itself is not freed. Idempotent. Close channels that use it first. */
    @Override
    void close();
}

package org.mscclj.api.channel;

/** Memory that channels can name: this rank's own, or a peer's that was received from it. */
public interface RegisteredMemory extends AutoCloseable {
    /** The rank that owns the memory. */
    int rank();

    /** Its size, in bytes. */
    long byteSize();

    /** Ends the registration; the memory itself is not freed. Idempotent. Close channels that use it first. */
    @Override
    void close();
}

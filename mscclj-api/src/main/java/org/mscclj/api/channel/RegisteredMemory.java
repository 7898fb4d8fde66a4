package org.mscclj.api.channel;

import org.mscclj.api.device.DeviceBuffer;

/** Memory that channels can access: this rank's own, or a peer's whose description was received. */
public interface RegisteredMemory extends AutoCloseable {
    /** The rank that owns the memory. */
    int rank();

    /** Its size, in bytes. */
    long byteSize();

    /**
     * The memory as a buffer of this rank's device, for copies on its streams: what was registered, or the peer's
     * memory as mapped here, which orders nothing between the ranks. The peer's memory is mapped at the first call. Its
     * buffer belongs to this object: closing the buffer does nothing, and peers cannot map it in turn. After this
     * object is closed new copies are refused, and the mapping ends with the last one in flight.
     *
     * @throws org.mscclj.api.error.UnsupportedException if this rank's device cannot map the peer's memory, for example
     *     of a rank on another node
     * @throws org.mscclj.api.error.InvalidArgumentException if this object is closed
     */
    DeviceBuffer buffer();

    /** Ends the registration; the memory itself is not freed. Idempotent. Close channels that use it first. */
    @Override
    void close();
}

package org.mscclj.runtime.staging;

import java.nio.ByteBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.transport.RemoteMemory;

/**
 * The memory of a peer.
 *
 * @param id its id in the peer's transport
 * @param byteSize its size, in bytes
 */
record StagedTarget(long id, long byteSize) implements RemoteMemory {
    /** Bytes of a description. */
    static final int BYTES = 2 * Long.BYTES;

    /** Returns memory of this transport as such. */
    static StagedTarget of(RemoteMemory memory) {
        if (memory instanceof StagedTarget ours) {
            return ours;
        }
        throw InvalidArgumentException.of(
                "target", "memory of another transport, " + memory.getClass().getName(), "memory of this transport");
    }

    static StagedTarget decode(byte[] description) {
        if (description.length != BYTES) {
            throw InvalidArgumentException.of(
                    "description of memory", description.length + " bytes", BYTES + " bytes, made by this transport");
        }
        ByteBuffer in = ByteBuffer.wrap(description);
        return new StagedTarget(in.getLong(), in.getLong());
    }

    @Override
    public void close() {
        // holds no resource
    }
}

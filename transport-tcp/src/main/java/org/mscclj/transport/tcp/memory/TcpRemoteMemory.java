package org.mscclj.transport.tcp.memory;

import java.nio.ByteBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.transport.RemoteMemory;

/**
 * The memory of a peer.
 *
 * @param id its id in the peer's transport
 * @param byteSize its size, in bytes
 * @param misalignment how far its address is above a multiple of 8
 */
public record TcpRemoteMemory(long id, long byteSize, int misalignment) implements RemoteMemory {
    private static final int BYTES = 2 * Long.BYTES + Integer.BYTES;

    /** Returns memory of this transport as such. */
    public static TcpRemoteMemory of(RemoteMemory memory) {
        if (memory instanceof TcpRemoteMemory ours) {
            return ours;
        }
        throw ofAnotherTransport("target", memory);
    }

    /** The exception for memory of another transport. */
    static InvalidArgumentException ofAnotherTransport(String argument, Object memory) {
        return InvalidArgumentException.of(
                argument, "memory of another transport, " + memory.getClass().getName(), "memory of transport tcp");
    }

    public static TcpRemoteMemory decode(byte[] description) {
        if (description.length != BYTES) {
            throw InvalidArgumentException.of(
                    "description of memory", description.length + " bytes", BYTES + " bytes, made by transport tcp");
        }
        ByteBuffer in = ByteBuffer.wrap(description);
        return new TcpRemoteMemory(in.getLong(), in.getLong(), in.getInt());
    }

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putLong(id)
                .putLong(byteSize)
                .putInt(misalignment)
                .array();
    }

    @Override
    public void close() {
        // holds no resource
    }
}

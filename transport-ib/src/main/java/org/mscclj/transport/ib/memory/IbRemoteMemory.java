package org.mscclj.transport.ib.memory;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.transport.RemoteMemory;

/** The memory of a peer. */
public final class IbRemoteMemory implements RemoteMemory {
    private static final int MAX_RAILS = 64;

    private final long id;
    private final long address;
    private final long byteSize;
    private final boolean onHost;
    private final int[] keys;

    /**
     * Creates the description of memory.
     *
     * @param id its number in the peer's transport
     * @param address its address in the peer's process
     * @param byteSize its size, in bytes
     * @param onHost whether it is memory of the peer's host
     * @param keys the key of the peer's adapter of each rail; none if the memory is empty
     */
    IbRemoteMemory(long id, long address, long byteSize, boolean onHost, int... keys) {
        this.id = id;
        this.address = address;
        this.byteSize = byteSize;
        this.onHost = onHost;
        this.keys = keys;
    }

    /** Returns memory of this transport as such. */
    public static IbRemoteMemory of(RemoteMemory memory) {
        if (memory instanceof IbRemoteMemory ours) {
            return ours;
        }
        throw InvalidArgumentException.of("target", String.valueOf(memory), "memory of transport ib");
    }

    /** Reads a description. */
    public static IbRemoteMemory decode(byte[] description) {
        ByteBuffer in = ByteBuffer.wrap(description);
        try {
            long id = in.getLong();
            long address = in.getLong();
            long byteSize = in.getLong();
            boolean onHost = in.get() != 0;
            int count = in.getInt();
            if (count >= 0 && count <= MAX_RAILS && in.remaining() == count * Integer.BYTES) {
                int[] keys = new int[count];
                in.asIntBuffer().get(keys);
                return new IbRemoteMemory(id, address, byteSize, onHost, keys);
            }
        } catch (BufferUnderflowException e) {
            throw new InvalidArgumentException("description of memory: it is too short; pass one of transport ib", e);
        }
        throw InvalidArgumentException.of(
                "description of memory", description.length + " bytes", "a description made by transport ib");
    }

    byte[] encode() {
        ByteBuffer out = ByteBuffer.allocate(3 * Long.BYTES + 1 + (1 + keys.length) * Integer.BYTES)
                .putLong(id)
                .putLong(address)
                .putLong(byteSize)
                .put((byte) (onHost ? 1 : 0))
                .putInt(keys.length);
        out.asIntBuffer().put(keys);
        return out.array();
    }

    /** Returns its number in the peer's transport. */
    public long id() {
        return id;
    }

    /** Returns its address in the peer's process. */
    public long address() {
        return address;
    }

    /** Returns whether it is memory of the peer's host, and not of a GPU. */
    public boolean isOnHost() {
        return onHost;
    }

    /** Returns the key of the peer's adapter of a rail. The memory must not be empty. */
    public int key(int rail) {
        return keys[rail];
    }

    @Override
    public long byteSize() {
        return byteSize;
    }

    @Override
    public void close() {
        // holds no resource
    }
}

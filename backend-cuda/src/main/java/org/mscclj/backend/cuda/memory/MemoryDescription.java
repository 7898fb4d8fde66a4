package org.mscclj.backend.cuda.memory;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import org.mscclj.spi.device.MemoryHandle;

/**
 * What a memory handle of this backend says.
 *
 * @param process the owner's process
 * @param gpu the GPU that the memory is on
 * @param allocation the allocation's number in that process
 * @param block the number of its block
 * @param blockBytes size of the block
 * @param offset where the memory starts in the block, in bytes
 * @param bytes its size
 * @param sharing how other processes find it; empty for memory of one process
 */
record MemoryDescription(
        long process,
        UUID gpu,
        long allocation,
        long block,
        long blockBytes,
        long offset,
        long bytes,
        Optional<Sharing> sharing) {
    private static final String BACKEND = "cuda";

    /**
     * How other processes find memory.
     *
     * @param reach {@link ProcessIdentity#reach} of the owner
     * @param token what the owner's {@link DescriptorServer} wants to hear first
     */
    record Sharing(UUID reach, UUID token) {}

    private static final int WORDS = 8 * Long.BYTES;
    private static final int SHARING = 4 * Long.BYTES;

    /** Whether a handle is of this backend. */
    static boolean isOurs(MemoryHandle handle) {
        long length = handle.segment().byteSize();
        return handle.backend().equals(BACKEND) && (length == WORDS || length == WORDS + SHARING);
    }

    /** Reads a handle of this backend. */
    static MemoryDescription decode(MemoryHandle handle) {
        ByteBuffer from = handle.segment().asByteBuffer();
        return new MemoryDescription(
                from.getLong(),
                uuid(from),
                from.getLong(),
                from.getLong(),
                from.getLong(),
                from.getLong(),
                from.getLong(),
                from.hasRemaining() ? Optional.of(new Sharing(uuid(from), uuid(from))) : Optional.empty());
    }

    /** A handle that says this. */
    MemoryHandle encode() {
        ByteBuffer to = ByteBuffer.allocate(WORDS + (sharing.isPresent() ? SHARING : 0));
        to.putLong(process);
        put(to, gpu);
        to.putLong(allocation)
                .putLong(block)
                .putLong(blockBytes)
                .putLong(offset)
                .putLong(bytes);
        sharing.ifPresent(how -> {
            put(to, how.reach());
            put(to, how.token());
        });
        return new MemoryHandle(BACKEND, to.array());
    }

    /** Whether the memory lies in its block. */
    boolean isPlausible() {
        return blockBytes > 0 && offset >= 0 && bytes >= 0 && offset <= blockBytes - bytes;
    }

    private static UUID uuid(ByteBuffer from) {
        return new UUID(from.getLong(), from.getLong());
    }

    private static void put(ByteBuffer to, UUID uuid) {
        to.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
    }
}

package org.mscclj.gpu.memory;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import org.mscclj.gpu.descriptor.Uuids;
import org.mscclj.spi.device.MemoryHandle;

/**
 * The content of a memory handle of a GPU backend.
 *
 * @param process the owner's process
 * @param gpu the GPU that the memory is on
 * @param allocation the allocation's number in that process
 * @param block the number of its block, or of the allocation of other software that it lies in
 * @param blockBytes size of the block or of that allocation
 * @param offset where the memory starts in it, in bytes
 * @param bytes its size
 * @param sharing how other processes find it; empty for memory of one process
 */
record GpuMemoryDescription(
        long process,
        UUID gpu,
        long allocation,
        long block,
        long blockBytes,
        long offset,
        long bytes,
        Optional<Sharing> sharing) {
    private static final int WORDS = 8 * Long.BYTES;

    /**
     * Whether a handle belongs to a backend.
     *
     * @param backend its name
     */
    static boolean isOf(String backend, MemoryHandle handle) {
        long length = handle.segment().byteSize();
        return handle.backend().equals(backend) && Sharing.isLength(length - WORDS);
    }

    /** Decodes a handle of a GPU backend. */
    static GpuMemoryDescription decode(MemoryHandle handle) {
        ByteBuffer from = handle.segment().asByteBuffer();
        return new GpuMemoryDescription(
                from.getLong(),
                Uuids.get(from),
                from.getLong(),
                from.getLong(),
                from.getLong(),
                from.getLong(),
                from.getLong(),
                Sharing.decode(from));
    }

    /**
     * Encodes this description as a handle.
     *
     * @param backend the name of the backend
     */
    MemoryHandle encode(String backend) {
        ByteBuffer to =
                ByteBuffer.allocate(WORDS + sharing.map(Sharing::encodedBytes).orElse(0));
        to.putLong(process);
        Uuids.put(to, gpu);
        to.putLong(allocation)
                .putLong(block)
                .putLong(blockBytes)
                .putLong(offset)
                .putLong(bytes);
        sharing.ifPresent(how -> how.encode(to));
        return new MemoryHandle(backend, to.array());
    }

    /** Whether the memory lies in its block. */
    boolean isPlausible() {
        return blockBytes > 0 && offset >= 0 && bytes >= 0 && offset <= blockBytes - bytes;
    }
}

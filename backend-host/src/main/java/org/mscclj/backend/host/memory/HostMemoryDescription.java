package org.mscclj.backend.host.memory;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import org.mscclj.spi.device.MemoryHandle;

/**
 * The content of a memory handle of this backend.
 *
 * @param process the owner's process
 * @param backend the owner's backend, of which one process may have opened several
 * @param allocation the allocation's number in that process
 * @param offset start of the memory in the allocation's piece of its source, in bytes
 * @param bytes its size
 * @param shared the data by which other processes find it; empty for memory of one process
 */
record HostMemoryDescription(
        long process, long backend, long allocation, long offset, long bytes, Optional<Sharing> shared) {
    private static final String BACKEND = "host";

    /**
     * The data by which other processes find memory.
     *
     * @param reach {@link org.mscclj.spi.memory.ProcessIdentity#reach} of the owner
     * @param memory the allocation's file
     * @param doorbell the file of the owner's doorbell
     */
    record Sharing(UUID reach, SharedFile.Location memory, SharedFile.Location doorbell) {}

    private static final int WORDS = 5 * Long.BYTES;
    private static final int SHARING = 2 * Long.BYTES + 2 * SharedFile.Location.ENCODED_BYTES;

    /** Whether a handle belongs to this backend. */
    static boolean isOurs(MemoryHandle handle) {
        int length = handle.byteSize();
        return handle.backend().equals(BACKEND) && (length == WORDS || length == WORDS + SHARING);
    }

    /** Reads a handle of this backend. */
    static HostMemoryDescription decode(MemoryHandle handle) {
        ByteBuffer from = handle.segment().asByteBuffer();
        return new HostMemoryDescription(
                from.getLong(),
                from.getLong(),
                from.getLong(),
                from.getLong(),
                from.getLong(),
                from.hasRemaining()
                        ? Optional.of(new Sharing(
                                new UUID(from.getLong(), from.getLong()),
                                SharedFile.Location.decode(from),
                                SharedFile.Location.decode(from)))
                        : Optional.empty());
    }

    /** The handle with this content. */
    MemoryHandle encode() {
        ByteBuffer to = ByteBuffer.allocate(WORDS + (shared.isPresent() ? SHARING : 0));
        to.putLong(process).putLong(backend).putLong(allocation).putLong(offset).putLong(bytes);
        shared.ifPresent(sharing -> {
            to.putLong(sharing.reach().getMostSignificantBits());
            to.putLong(sharing.reach().getLeastSignificantBits());
            sharing.memory().encode(to);
            sharing.doorbell().encode(to);
        });
        return new MemoryHandle(BACKEND, to.array());
    }
}

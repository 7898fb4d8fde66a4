package org.mscclj.gpu.memory;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.mscclj.spi.memory.MemoryUse;

/** Memory of this process that buffers and their slices share. */
final class GpuAllocation {
    private static final AtomicLong LAST_ID = new AtomicLong();
    private static final ConcurrentMap<Long, GpuAllocation> LIVE = new ConcurrentHashMap<>();

    private final long id = LAST_ID.incrementAndGet();
    private final Piece piece;
    private final HostAccess access;
    private final MemoryUse use = new MemoryUse(this::free);

    /**
     * Creates an allocation, which frees its piece at the end.
     *
     * @param access the host's access to the memory
     */
    GpuAllocation(Piece piece, HostAccess access) {
        this.piece = piece;
        this.access = access;
        LIVE.put(id, this);
    }

    /** The allocation with an id, if its memory has not been freed. */
    static Optional<GpuAllocation> find(long id) {
        return Optional.ofNullable(LIVE.get(id));
    }

    /** The id of the allocation, unique in this process; never reused. */
    long id() {
        return id;
    }

    /** The memory of the allocation. */
    Piece piece() {
        return piece;
    }

    /** The host's access to the memory. */
    HostAccess access() {
        return access;
    }

    /** The users of the memory, which determine when it is freed. */
    MemoryUse use() {
        return use;
    }

    private void free() {
        LIVE.remove(id);
        piece.free();
    }
}

package org.mscclj.gpu.memory;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.mscclj.spi.memory.MemoryUse;

/** Memory of this process, which buffers and their slices share. */
final class GpuAllocation {
    private static final AtomicLong LAST_ID = new AtomicLong();
    private static final ConcurrentMap<Long, GpuAllocation> LIVE = new ConcurrentHashMap<>();

    private final long id = LAST_ID.incrementAndGet();
    private final Piece piece;
    private final HostAccess access;
    private final MemoryUse use = new MemoryUse(this::free);

    /**
     * An allocation that frees its piece.
     *
     * @param access how the host reads and writes it
     */
    GpuAllocation(Piece piece, HostAccess access) {
        this.piece = piece;
        this.access = access;
        LIVE.put(id, this);
    }

    /** The allocation of an id, if its memory has not been freed. */
    static Optional<GpuAllocation> find(long id) {
        return Optional.ofNullable(LIVE.get(id));
    }

    /** Tells allocations of this process apart; never used again. */
    long id() {
        return id;
    }

    /** The memory. */
    Piece piece() {
        return piece;
    }

    /** How the host reads and writes it. */
    HostAccess access() {
        return access;
    }

    /** Who uses it, and when it is freed. */
    MemoryUse use() {
        return use;
    }

    private void free() {
        LIVE.remove(id);
        piece.free();
    }
}

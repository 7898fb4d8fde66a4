package org.mscclj.backend.host.memory;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.mscclj.spi.memory.MemoryUse;

/** Memory of this process, which buffers and their slices share. */
final class HostAllocation {
    /**
     * Large allocations start at different places of a page, or the same element of many ranks' buffers would compete for the same few
     * lines of the first-level cache. Odd in units of {@link MemorySource#ALIGNMENT}, so that all places come up.
     */
    private static final long STAGGER = 5 * MemorySource.ALIGNMENT;

    private static final long PAGE = 4096;
    private static final long LARGE = 16 * PAGE;

    private static final AtomicLong LAST_ID = new AtomicLong();
    private static final ConcurrentMap<Long, HostAllocation> LIVE = new ConcurrentHashMap<>();

    private final long id = LAST_ID.incrementAndGet();
    private final MemorySource.Piece piece;
    private final long start;
    private final MemorySegment segment;
    private final MemoryUse use = new MemoryUse(this::free);

    HostAllocation(long bytes, MemorySource source) {
        start = bytes < LARGE ? 0 : id * STAGGER % PAGE;
        piece = source.take(Math.addExact(start, bytes));
        segment = piece.segment().asSlice(start, bytes);
        LIVE.put(id, this);
    }

    /** The allocation of an id, if its memory has not been freed. */
    static Optional<HostAllocation> find(long id) {
        return Optional.ofNullable(LIVE.get(id));
    }

    /** Tells allocations of this process apart; never used again. */
    long id() {
        return id;
    }

    MemorySegment segment() {
        return segment;
    }

    /** Where the memory starts in its {@link #location}, in bytes. */
    long start() {
        return start;
    }

    /** How other processes find the memory. */
    Optional<SharedFile.Location> location() {
        return piece.location();
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

package org.mscclj.backend.host.memory;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.mscclj.api.error.BackendException;
import org.mscclj.spi.memory.MemoryUse;

/** Memory of this process, which buffers and their slices share. */
final class HostAllocation {
    /**
     * Large allocations start at different places of a page, or the same element of many ranks' buffers would compete
     * for the same few lines of the first-level cache. Odd in units of {@link MemorySource#ALIGNMENT}, so that all
     * places come up.
     */
    private static final long STAGGER = 5 * MemorySource.ALIGNMENT;

    private static final long PAGE = 4096;
    private static final long LARGE = 16 * PAGE;

    /** Of a process, in bytes: what 64-bit processors give to programs as a rule. */
    private static final long ADDRESS_SPACE = 1L << 47;

    private static final int NO_MEMORY = 12;

    private static final AtomicLong LAST_ID = new AtomicLong();
    private static final ConcurrentMap<Long, HostAllocation> LIVE = new ConcurrentHashMap<>();

    private final long id;
    private final MemorySource.Piece piece;
    private final long start;
    private final MemorySegment segment;
    private final MemoryUse use = new MemoryUse(this::free);

    private HostAllocation(long id, MemorySource.Piece piece, long start, long bytes) {
        this.id = id;
        this.piece = piece;
        this.start = start;
        this.segment = piece.segment().asSlice(start, bytes);
    }

    /**
     * Memory from a source.
     *
     * @throws BackendException if there is not enough
     */
    static HostAllocation take(long bytes, MemorySource source) {
        if (bytes > ADDRESS_SPACE) { // sources round up, and files grow until their disk is full
            throw new BackendException(
                    "no memory for a buffer of " + bytes + " bytes, which are more than the " + ADDRESS_SPACE
                            + " that a process can address; use smaller ones",
                    NO_MEMORY,
                    "ENOMEM");
        }
        long id = LAST_ID.incrementAndGet();
        long start = bytes < LARGE ? 0 : id * STAGGER % PAGE;
        return new HostAllocation(id, source.take(start, bytes), start, bytes).live();
    }

    /** All of a piece. */
    static HostAllocation of(MemorySource.Piece piece) {
        return new HostAllocation(
                        LAST_ID.incrementAndGet(), piece, 0, piece.segment().byteSize())
                .live();
    }

    private HostAllocation live() {
        LIVE.put(id, this);
        return this;
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

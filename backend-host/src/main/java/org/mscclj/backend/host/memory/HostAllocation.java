package org.mscclj.backend.host.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.BackendException;
import org.mscclj.posix.NativeMemory;
import org.mscclj.spi.memory.MemoryUse;

/** Memory of this process, which buffers and their slices share. */
final class HostAllocation {
    /**
     * Large allocations start at different offsets in a page; otherwise equal elements of many ranks' buffers would
     * compete for a few lines of the first-level cache. Odd in units of {@link MemorySource#ALIGNMENT}, so that all
     * offsets occur.
     */
    private static final long STAGGER = 5 * MemorySource.ALIGNMENT;

    private static final long PAGE = 4096;
    private static final long LARGE = 16 * PAGE;

    /** Address space of a process, in bytes, on common 64-bit processors. */
    private static final long ADDRESS_SPACE = 1L << 47;

    private static final int NO_MEMORY = 12;

    private static final AtomicLong LAST_ID = new AtomicLong();
    private static final ConcurrentMap<Long, HostAllocation> LIVE = new ConcurrentHashMap<>();

    private final long id;
    private final MemorySource.Piece piece;
    private final long start;
    private final long byteSize;
    private final MemoryUse use = new MemoryUse(this::free);

    /** Makes accesses through the segment throw once the memory is freed. Guarded by this allocation's monitor. */
    private @Nullable Arena viewed;

    private volatile @Nullable MemorySegment segment;
    private boolean freed;

    private HostAllocation(long id, MemorySource.Piece piece, long start, long bytes) {
        this.id = id;
        this.piece = piece;
        this.start = start;
        this.byteSize = bytes;
    }

    /**
     * Allocates memory from a source.
     *
     * @throws BackendException if there is not enough memory
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

    /** An allocation of a whole piece. */
    static HostAllocation of(MemorySource.Piece piece) {
        return new HostAllocation(LAST_ID.incrementAndGet(), piece, 0, piece.byteSize()).live();
    }

    private HostAllocation live() {
        LIVE.put(id, this);
        return this;
    }

    /** The allocation of an id, if its memory has not been freed. */
    static Optional<HostAllocation> find(long id) {
        return Optional.ofNullable(LIVE.get(id));
    }

    /** The id of this allocation, unique in this process; never reused. */
    long id() {
        return id;
    }

    long address() {
        return piece.address() + start;
    }

    long byteSize() {
        return byteSize;
    }

    /**
     * A view of the memory; accesses through it throw {@link IllegalStateException} once the memory is freed. The view
     * is made when it is first needed, because closing its arena stops all threads of the process for a moment: memory
     * that is used only by address does without it.
     */
    MemorySegment segment() {
        MemorySegment known = segment;
        return known != null ? known : view();
    }

    private synchronized MemorySegment view() {
        MemorySegment known = segment;
        if (known == null) {
            Arena arena = Arena.ofShared();
            known = NativeMemory.range(address(), byteSize, arena);
            if (freed) {
                arena.close();
            } else {
                viewed = arena;
            }
            segment = known;
        }
        return known;
    }

    private synchronized void closeView() {
        if (viewed != null) {
            viewed.close();
            viewed = null;
        }
        freed = true;
    }

    /** Offset of the memory in its {@link #location}, in bytes. */
    long start() {
        return start;
    }

    /** The location by which other processes find the memory; empty if they cannot. */
    Optional<SharedFile.Location> location() {
        return piece.location();
    }

    /** The users of the memory, which is freed after the last use. */
    MemoryUse use() {
        return use;
    }

    private void free() {
        LIVE.remove(id);
        closeView();
        piece.free();
    }
}

package org.mscclj.backend.host.memory;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.BufferUser;

/**
 * Memory of this process, which buffers and their slices share, and who uses it.
 *
 * <p>There are three kinds of use. <em>Users</em> of the owner, prepared operations or copies in a
 * stream say, make closing throw. <em>Occasional users</em> do so only while they are at work. <em>Mappings</em> by peers
 * let the owner close: the memory is freed when the last mapping ends, so that a peer which is still at work, after an abort for
 * example, never writes to memory that is gone.
 */
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
    private final Set<BufferUser> occasionalUsers = new LinkedHashSet<>();
    private int users;
    private int mappings;
    private boolean closed;

    /** Whether, after closing, nobody of the owner's uses the memory any more. */
    private boolean unused;

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

    /** Makes closing throw until {@link #release}. */
    synchronized void retain() {
        if (closed) {
            throw new InvalidArgumentException("the buffer is closed; allocate another one");
        }
        users++;
    }

    synchronized void release() {
        users--;
    }

    /** Keeps the memory until {@link #unmap}, also if its owner closes it. */
    synchronized void map() {
        if (closed) {
            throw new InvalidArgumentException(
                    "memory that a peer described is closed; it must stay open until it is mapped");
        }
        mappings++;
    }

    synchronized void unmap() {
        mappings--;
        freeIfUnused();
    }

    /** Adds somebody to ask, and to tell, when the owner closes. */
    synchronized void add(BufferUser user) {
        if (closed) {
            throw new InvalidArgumentException("the buffer is closed; allocate another one");
        }
        occasionalUsers.add(user);
    }

    synchronized void remove(BufferUser user) {
        occasionalUsers.remove(user);
    }

    void close() {
        List<BufferUser> told;
        synchronized (this) {
            if (closed) {
                return;
            }
            long using =
                    users + occasionalUsers.stream().filter(BufferUser::isUsing).count();
            if (using > 0) {
                throw new InvalidArgumentException("the buffer is in use by " + using
                        + " operations, registrations or copies; close those first, or wait for them");
            }
            closed = true;
            told = List.copyOf(occasionalUsers);
        }
        try {
            told.forEach(BufferUser::bufferClosed); // outside the monitor: they may take locks of their own
        } finally {
            ended();
        }
    }

    private synchronized void ended() {
        occasionalUsers.clear();
        unused = true;
        freeIfUnused();
    }

    private void freeIfUnused() {
        if (unused && mappings == 0) {
            LIVE.remove(id);
            piece.free();
        }
    }
}

package org.mscclj.backend.host;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;

/** Native memory of this process, or a part of it. */
final class HostBuffer implements DeviceBuffer {
    /** Two cache lines, so that no two buffers share one, nor a pair that is fetched together. */
    private static final long ALIGNMENT = 128;

    private final MemorySegment segment;
    private final Allocation allocation;
    private final boolean owner;

    private HostBuffer(MemorySegment segment, Allocation allocation, boolean owner) {
        this.segment = segment;
        this.allocation = allocation;
        this.owner = owner;
    }

    static HostBuffer allocate(long bytes) {
        if (bytes < 0) {
            throw InvalidArgumentException.of("size", bytes + " bytes", "0 or more");
        }
        Arena arena = Arena.ofShared();
        try {
            MemorySegment memory = arena.allocate(Math.max(bytes, 1), ALIGNMENT);
            return new HostBuffer(memory.asSlice(0, bytes), new Allocation(arena), true);
        } catch (OutOfMemoryError | IllegalArgumentException e) {
            arena.close();
            throw new BackendException(
                    "no memory for a buffer of " + bytes + " bytes; free buffers, or use smaller ones", e);
        }
    }

    /** Keeps the memory from being freed while something uses it. */
    void retain() {
        allocation.retain();
    }

    /** Undoes {@link #retain}. */
    void release() {
        allocation.release();
    }

    @Override
    public long address() {
        return segment.address();
    }

    @Override
    public long byteSize() {
        return segment.byteSize();
    }

    @Override
    public DeviceBuffer slice(long offset, long bytes) {
        if (offset < 0 || bytes < 0 || offset > byteSize() - bytes) {
            throw InvalidArgumentException.of(
                    "slice", bytes + " bytes from offset " + offset, "a range inside " + byteSize() + " bytes");
        }
        return new HostBuffer(segment.asSlice(offset, bytes), allocation, false);
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public void copyFrom(MemorySegment source) {
        requireSize("source", source);
        segment.copyFrom(source);
    }

    @Override
    public void copyTo(MemorySegment destination) {
        requireSize("destination", destination);
        destination.copyFrom(segment);
    }

    private void requireSize(String what, MemorySegment other) {
        if (other.byteSize() != byteSize()) {
            throw InvalidArgumentException.of(
                    what, other.byteSize() + " bytes", byteSize() + " bytes, like the buffer");
        }
    }

    @Override
    public void close() {
        if (owner) {
            allocation.close();
        }
    }

    /** The memory, which slices share, and how many users it has. −1 once it is freed. */
    private static final class Allocation {
        private final Arena arena;
        private final AtomicInteger users = new AtomicInteger();

        Allocation(Arena arena) {
            this.arena = arena;
        }

        void retain() {
            if (users.getAndUpdate(count -> count < 0 ? count : count + 1) < 0) {
                throw new InvalidArgumentException("the buffer is closed; allocate another one");
            }
        }

        void release() {
            users.decrementAndGet();
        }

        void close() {
            int count = users.compareAndExchange(0, -1);
            if (count > 0) {
                throw new InvalidArgumentException("the buffer is in use by " + count
                        + " prepared operations or registrations; close those first");
            }
            if (count == 0) {
                arena.close();
            }
        }
    }
}

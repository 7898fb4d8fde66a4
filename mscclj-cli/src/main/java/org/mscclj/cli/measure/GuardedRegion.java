package org.mscclj.cli.measure;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.LongFunction;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;

/**
 * Memory between two guard zones, with the host's view of it: the memory itself, or a copy if the host cannot access
 * it.
 */
final class GuardedRegion implements AutoCloseable {
    /** Size of a guard zone, in bytes; keeps the alignment of the allocation. */
    private static final long GUARD_BYTES = 4096;

    /** Size of a block of zeros, in bytes, so that a large region needs no copy on the host to be cleared. */
    private static final long MAX_ZEROS = 16 << 20;

    private final DeviceBuffer whole;
    private final long bytes;
    private final Optional<MemorySegment> direct;
    private Optional<Arena> arena = Optional.empty();
    private MemorySegment host;

    private GuardedRegion(DeviceBuffer whole, long bytes) {
        this.whole = whole;
        this.bytes = bytes;
        this.direct = direct(whole);
        this.host = direct.orElse(MemorySegment.NULL);
    }

    /**
     * Allocates the region.
     *
     * @param memory allocates a number of bytes, which closing frees
     */
    static GuardedRegion allocate(LongFunction<DeviceBuffer> memory, long bytes) {
        return new GuardedRegion(memory.apply(bytes + 2 * GUARD_BYTES), bytes);
    }

    private static Optional<MemorySegment> direct(DeviceBuffer buffer) {
        try {
            return Optional.of(buffer.segment());
        } catch (UnsupportedException e) { // memory of a device, which the host cannot access
            return Optional.empty();
        }
    }

    /** Returns the memory between the guard zones. */
    DeviceBuffer inner() {
        return whole.slice(GUARD_BYTES, bytes);
    }

    /** Returns the host's view of {@link #inner}. */
    MemorySegment hostInner() {
        return host().asSlice(GUARD_BYTES, bytes);
    }

    MemorySegment hostBefore() {
        return host().asSlice(0, GUARD_BYTES);
    }

    MemorySegment hostAfter() {
        return host().asSlice(GUARD_BYTES + bytes, GUARD_BYTES);
    }

    private MemorySegment host() {
        if (direct.isEmpty() && arena.isEmpty()) {
            Arena memory = Arena.ofShared();
            arena = Optional.of(memory);
            host = memory.allocate(whole.byteSize(), GUARD_BYTES);
        }
        return host;
    }

    /** Copies the host's view to the device. */
    void upload() {
        if (direct.isEmpty()) {
            whole.copyFrom(host());
        }
    }

    /** Copies the device's memory to the host's view. */
    void download() {
        if (direct.isEmpty()) {
            whole.copyTo(host());
        }
    }

    /** Fills the memory between the guard zones with zeros. */
    void fillWithZeros() {
        if (direct.isPresent()) {
            hostInner().fill((byte) 0);
            return;
        }
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment zeros = confined.allocate(Math.min(bytes, MAX_ZEROS));
            for (long at = 0; at < bytes; at += MAX_ZEROS) {
                long length = Math.min(MAX_ZEROS, bytes - at);
                whole.slice(GUARD_BYTES + at, length).copyFrom(zeros.asSlice(0, length));
            }
        }
    }

    /** Frees the host's copy, if there is one. */
    void forget() {
        arena.ifPresent(Arena::close);
        arena = Optional.empty();
    }

    /** Frees the memory. Idempotent. */
    @Override
    public void close() {
        whole.close();
        forget();
    }
}

package org.mscclj.cli.measure;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.LongFunction;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;

/**
 * Memory between two guard zones, and what the host sees of it: the memory itself, or a copy where the host cannot
 * access it.
 */
final class Region implements AutoCloseable {
    /** Keeps the alignment of the allocation. */
    private static final long GUARD_BYTES = 4096;

    /** Of a large region, the host needs no copy for that. */
    private static final long MOST_ZEROS = 16 << 20;

    private final DeviceBuffer whole;
    private final long bytes;
    private final Optional<MemorySegment> direct;
    private Optional<Arena> arena = Optional.empty();
    private MemorySegment host;

    private Region(DeviceBuffer whole, long bytes) {
        this.whole = whole;
        this.bytes = bytes;
        this.direct = direct(whole);
        this.host = direct.orElse(MemorySegment.NULL);
    }

    /**
     * Allocates.
     *
     * @param memory allocates so many bytes, which closing frees
     */
    static Region allocate(LongFunction<DeviceBuffer> memory, long bytes) {
        return new Region(memory.apply(bytes + 2 * GUARD_BYTES), bytes);
    }

    private static Optional<MemorySegment> direct(DeviceBuffer buffer) {
        try {
            return Optional.of(buffer.segment());
        } catch (UnsupportedException e) { // memory of a device
            return Optional.empty();
        }
    }

    /** What lies between the guards. */
    DeviceBuffer inner() {
        return whole.slice(GUARD_BYTES, bytes);
    }

    /** What the host sees of {@link #inner}. */
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

    /** Gives the device what the host has written. */
    void upload() {
        if (direct.isEmpty()) {
            whole.copyFrom(host());
        }
    }

    /** Gives the host what the device has written. */
    void download() {
        if (direct.isEmpty()) {
            whole.copyTo(host());
        }
    }

    /** Writes zeros between the guards. */
    void fillWithZeros() {
        if (direct.isPresent()) {
            hostInner().fill((byte) 0);
            return;
        }
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment zeros = confined.allocate(Math.min(bytes, MOST_ZEROS));
            for (long at = 0; at < bytes; at += MOST_ZEROS) {
                long length = Math.min(MOST_ZEROS, bytes - at);
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

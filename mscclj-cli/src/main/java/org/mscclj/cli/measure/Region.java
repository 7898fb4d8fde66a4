package org.mscclj.cli.measure;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;

/** Registered memory between two guard zones, and what the host sees of it: the memory itself, or a copy where the host cannot access it. */
final class Region implements AutoCloseable {
    /** Keeps the alignment of the allocation. */
    private static final long GUARD_BYTES = 4096;

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

    /** Allocates. Collective. */
    static Region allocate(Communicator communicator, long bytes) {
        return new Region(communicator.allocate(bytes + 2 * GUARD_BYTES), bytes);
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

    /** Frees the memory. Idempotent. */
    @Override
    public void close() {
        whole.close();
        arena.ifPresent(Arena::close);
        arena = Optional.empty();
    }
}

package org.mscclj.backend.cuda.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.cuda.context.DeviceContext;
import org.mscclj.backend.cuda.driver.DriverResult;
import org.mscclj.backend.cuda.ffm.Copies;
import org.mscclj.backend.cuda.ffm.NativeMemory;
import org.mscclj.backend.cuda.stream.RelaxedThread;

/**
 * Pinned memory of the host, at the same address for the host and for every GPU of this process. Taking and freeing it breaks no capture of other software.
 *
 * @param arena what frees it
 * @param memory the memory
 */
record PinnedPiece(Arena arena, MemorySegment memory) implements Piece {
    /**
     * Zeroed memory.
     *
     * @throws BackendException if there is not enough
     */
    static PinnedPiece allocate(DeviceContext context, long bytes) {
        long address = context.within(() -> allocateNow(bytes));
        DeviceContext kept = context.share();
        Arena arena = Arena.ofShared();
        MemorySegment memory = NativeMemory.range(address, bytes, arena, () -> {
            try (kept) {
                kept.run(() -> free(address));
            }
        });
        memory.fill((byte) 0);
        return new PinnedPiece(arena, memory);
    }

    private static long allocateNow(long bytes) {
        try (Arena arena = Arena.ofConfined();
                RelaxedThread _ = RelaxedThread.enter()) {
            MemorySegment host = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment device = arena.allocate(ValueLayout.JAVA_LONG);
            DriverResult.check(
                    Copies.allocatePinned(host, Math.max(bytes, 1)), "cuMemHostAlloc of " + bytes + " bytes");
            long address = host.get(ValueLayout.JAVA_LONG, 0);
            int result = Copies.devicePointer(device, address);
            if (result != DriverResult.SUCCESS || device.get(ValueLayout.JAVA_LONG, 0) != address) {
                free(address);
                DriverResult.check(result, "cuMemHostGetDevicePointer");
                throw new UnsupportedException(
                        "this system has no unified addressing: the GPU sees pinned memory at another address than the host");
            }
            return address;
        }
    }

    private static void free(long address) {
        try (RelaxedThread _ = RelaxedThread.enter()) {
            DriverResult.check(Copies.freePinned(address), "cuMemFreeHost");
        }
    }

    @Override
    public long address() {
        return memory.address();
    }

    @Override
    public Optional<MemorySegment> segment() {
        return Optional.of(memory);
    }

    @Override
    public PeerVisible visible(boolean processes) {
        throw new UnsupportedException(
                "peers can map memory that Device.allocate gives, and not pinned memory of the host");
    }

    @Override
    public void free() {
        arena.close();
    }
}

package org.mscclj.gpu.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.PinnedMemory;
import org.mscclj.gpu.occupancy.DeviceQuiescence;
import org.mscclj.posix.NativeMemory;

/**
 * Pinned memory of the host, at the same address for the host and for every GPU of this process. Allocating and freeing
 * it breaks no capture of other software. It is freed when no kernel that may wait is on the GPU in whose context it
 * was allocated.
 *
 * @param arena frees the memory when it is closed
 * @param memory the memory
 */
record PinnedPiece(Arena arena, MemorySegment memory) implements Piece {
    /**
     * Allocates zeroed memory.
     *
     * @throws BackendException if there is not enough
     */
    static PinnedPiece allocate(DeviceContext context, long bytes) {
        Arena arena = Arena.ofShared(); // first: frees the memory if a later step fails
        try {
            MemorySegment memory = allocate(context, bytes, arena);
            memory.fill((byte) 0);
            return new PinnedPiece(arena, memory);
        } catch (RuntimeException | Error e) {
            try (arena) {
                throw e;
            }
        }
    }

    /** Allocates memory with undefined content, until the arena is closed. */
    private static MemorySegment allocate(DeviceContext context, long bytes, Arena arena) {
        DeviceContext kept = context.share();
        long address;
        try {
            address = kept.within(() -> PinnedMemory.allocate(kept, bytes));
        } catch (RuntimeException | Error e) { // there is not enough
            try (kept) {
                throw e;
            }
        }
        try {
            return NativeMemory.range(
                    address, bytes, arena, () -> DeviceQuiescence.of(kept).soon(() -> free(kept, address)));
        } catch (RuntimeException | Error e) {
            free(kept, address);
            throw e;
        }
    }

    private static void free(DeviceContext context, long address) {
        try (context) {
            context.run(() -> PinnedMemory.free(context, address));
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

package org.mscclj.backend.cuda.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.cuda.context.DeviceContext;

/**
 * How peers can get at memory of other software: virtual memory as they do at ours, memory of {@code cuMemAlloc} by
 * legacy IPC. Calls are made in the GPU's context.
 *
 * @param context of its GPU
 * @param address where it starts
 * @param bytes its size
 */
record ForeignRange(DeviceContext context, long address, long bytes) {
    /** {@code CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR}. */
    private static final long DESCRIPTOR = 1;

    private static final String REMEDY = "; use memory of cuMemAlloc (cudaMalloc), or of Device.allocate";

    /**
     * What peers map.
     *
     * @param processes whether they live in other processes
     * @throws UnsupportedException if they cannot
     */
    PeerVisible visible(boolean processes) {
        if (PointerAttribute.POOL.of(context, address) != 0) {
            throw refused("it is from a memory pool (cudaMallocAsync), which peers cannot map" + REMEDY);
        }
        if (PointerAttribute.MANAGED.of(context, address) != 0) {
            throw refused("it is managed memory (cudaMallocManaged), which peers cannot map" + REMEDY);
        }
        return within(processes);
    }

    private PeerVisible within(boolean processes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment start = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment size = arena.allocate(ValueLayout.JAVA_LONG);
            context.driver()
                    .check(
                            context.driver().memory().range(start, size, address),
                            "cuMemGetAddressRange of foreign memory at 0x" + Long.toHexString(address));
            return within(start.get(ValueLayout.JAVA_LONG, 0), size.get(ValueLayout.JAVA_LONG, 0), processes);
        }
    }

    private PeerVisible within(long start, long size, boolean processes) {
        if (address - start > size - bytes) {
            throw refused("it lies in several pieces of memory, the first of which ends after "
                    + (start + size - address) + " bytes (as PyTorch's expandable_segments make it)" + REMEDY);
        }
        Optional<PhysicalMemory> retained = PhysicalMemory.retained(context.driver(), start, size);
        return retained.isPresent() ? virtual(retained.get(), start, processes) : legacy(start, size, processes);
    }

    private DevicePiece virtual(PhysicalMemory memory, long start, boolean processes) {
        if (processes && (PointerAttribute.HANDLE_TYPES.of(context, address) & DESCRIPTOR) == 0) {
            memory.release();
            throw refused("it was made by cuMemCreate without CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, so that other"
                    + " processes cannot map it" + REMEDY);
        }
        return new DevicePiece(DeviceBlock.ofForeign(context, memory, start), address - start);
    }

    private LegacyAllocation legacy(long start, long size, boolean processes) {
        long owner = PointerAttribute.CONTEXT.of(context, address);
        if (owner != 0 && !context.is(owner)) {
            throw refused("it was allocated in a context of its own, and not in the primary one; allocate it there");
        }
        Optional<LegacyHandle> handle = processes ? Optional.of(handle(start)) : Optional.empty();
        return new LegacyAllocation(
                context, PointerAttribute.BUFFER_ID.of(context, address), start, size, address - start, handle);
    }

    private LegacyHandle handle(long start) {
        try {
            return LegacyHandle.of(context, start);
        } catch (BackendException e) {
            throw refused("the driver gives no handle of it to other processes: " + e.getMessage() + REMEDY);
        }
    }

    private UnsupportedException refused(String reason) {
        return new UnsupportedException("peers cannot map " + bytes + " bytes of foreign memory at 0x"
                + Long.toHexString(address) + ": " + reason);
    }
}

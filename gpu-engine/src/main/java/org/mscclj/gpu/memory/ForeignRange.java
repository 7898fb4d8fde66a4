package org.mscclj.gpu.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.driver.PointerAttribute;
import org.mscclj.gpu.driver.VendorTerms;
import org.mscclj.gpu.mapping.DeviceBlock;
import org.mscclj.gpu.mapping.IpcHandle;
import org.mscclj.gpu.mapping.PhysicalMemory;

/**
 * Memory of other software as peers map it: virtual memory by its descriptor, ordinary memory by its IPC handle. Calls
 * are made in the GPU's context.
 *
 * @param context of its GPU
 * @param address where it starts
 * @param bytes its size
 */
record ForeignRange(DeviceContext context, long address, long bytes) {
    private ForeignAddress known() {
        return new ForeignAddress(context, address);
    }

    private VendorTerms terms() {
        return context.driver().terms();
    }

    private String remedy() {
        return "; use memory of " + terms().allocation() + ", or of Device.allocate";
    }

    /**
     * The mappable memory for peers.
     *
     * @param processes whether the peers are in other processes
     * @throws UnsupportedException if they cannot map it
     */
    PeerVisible visible(boolean processes) {
        if (known().get(PointerAttribute.POOL) != 0) {
            throw refused(
                    "it is from a memory pool (" + terms().poolAllocation() + "), which peers cannot map" + remedy());
        }
        if (known().get(PointerAttribute.MANAGED) != 0) {
            throw refused(
                    "it is managed memory (" + terms().managedAllocation() + "), which peers cannot map" + remedy());
        }
        if (!context.driver().memory().isCoherent(address)) {
            throw refused("GPUs see each other's writes to it between kernels only, and peers need them while a kernel"
                    + " runs" + remedy());
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
                            "reading the range of foreign memory at 0x" + Long.toHexString(address));
            return within(start.get(ValueLayout.JAVA_LONG, 0), size.get(ValueLayout.JAVA_LONG, 0), processes);
        }
    }

    private PeerVisible within(long start, long size, boolean processes) {
        if (address - start > size - bytes) {
            throw refused("it lies in several pieces of memory, the first of which ends after "
                    + (start + size - address) + " bytes (as PyTorch's expandable_segments make it)" + remedy());
        }
        Optional<PhysicalMemory> retained = PhysicalMemory.retained(context.driver(), start, size);
        return retained.isPresent() ? virtual(retained.get(), start, processes) : legacy(start, size, processes);
    }

    private DevicePiece virtual(PhysicalMemory memory, long start, boolean processes) {
        if (processes && (known().get(PointerAttribute.HANDLE_TYPES) & PointerAttribute.DESCRIPTOR) == 0) {
            memory.release();
            throw refused("it was created by " + terms().privateAllocation() + ", so that other processes cannot map it"
                    + remedy());
        }
        return new DevicePiece(DeviceBlock.ofForeign(context, memory, start), address - start);
    }

    private IpcAllocation legacy(long start, long size, boolean processes) {
        long owner = known().get(PointerAttribute.CONTEXT);
        if (owner != 0 && !context.is(owner)) {
            throw refused("it was allocated in a context of its own, and not in the primary one; allocate it there");
        }
        Optional<IpcHandle> handle = processes ? Optional.of(handle(start)) : Optional.empty();
        return new IpcAllocation(
                context, known().get(PointerAttribute.BUFFER_ID), start, size, address - start, handle);
    }

    private IpcHandle handle(long start) {
        try {
            return IpcHandle.of(context, start);
        } catch (BackendException e) {
            throw refused("the driver gives no handle of it to other processes: " + e.getMessage() + remedy());
        }
    }

    private UnsupportedException refused(String reason) {
        return new UnsupportedException("peers cannot map " + bytes + " bytes of foreign memory at 0x"
                + Long.toHexString(address) + ": " + reason);
    }
}

package org.mscclj.backend.cuda.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.backend.cuda.context.DeviceContext;
import org.mscclj.backend.cuda.driver.DriverResult;
import org.mscclj.backend.cuda.ffm.VirtualMemory;

/**
 * Addresses at which one GPU sees memory, its own or a peer's. Calls are made in that GPU's context.
 *
 * @param address where it starts
 * @param bytes its size
 */
record MappedRange(long address, long bytes) implements PeerRange {
    /** Maps memory for a GPU, to read and to write. */
    static MappedRange of(DeviceContext context, PhysicalMemory memory) {
        MappedRange range = new MappedRange(reserve(memory.bytes()), memory.bytes());
        boolean mapped = false;
        boolean allowed = false;
        try {
            DriverResult.check(VirtualMemory.map(range.address, range.bytes, memory.handle()), "cuMemMap");
            mapped = true;
            DriverResult.check(
                    VirtualMemory.allow(range.address, range.bytes, context.ordinal()),
                    "cuMemSetAccess for GPU " + context.ordinal());
            allowed = true;
            return range;
        } finally {
            if (!allowed) {
                range.undo(mapped);
            }
        }
    }

    private static long reserve(long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(ValueLayout.JAVA_LONG);
            DriverResult.check(VirtualMemory.reserve(address, bytes), "cuMemAddressReserve of " + bytes + " bytes");
            return address.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /** After a failure, whose exception is what the caller needs. */
    private void undo(boolean mapped) {
        if (mapped) {
            int _ = VirtualMemory.unmap(address, bytes);
        }
        int _ = VirtualMemory.free(address, bytes);
    }

    /** Unmaps it, and frees the addresses. Once. */
    @Override
    public void unmap() {
        int unmapped = VirtualMemory.unmap(address, bytes);
        int freed =
                VirtualMemory.free(address, bytes); // also then: what the driver reports may be earlier work's failure
        DriverResult.checkFreed(unmapped, "cuMemUnmap");
        DriverResult.checkFreed(freed, "cuMemAddressFree");
    }
}

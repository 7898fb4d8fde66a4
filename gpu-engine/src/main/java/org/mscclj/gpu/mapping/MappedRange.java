package org.mscclj.gpu.mapping;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.driver.GpuDriver;
import org.mscclj.gpu.driver.VirtualMemoryCalls;

/**
 * Addresses at which memory is mapped for one GPU. The memory may be its own or a peer's. Calls are made in that GPU's
 * context.
 *
 * @param driver of that GPU
 * @param address where it starts
 * @param bytes its size
 */
public record MappedRange(GpuDriver driver, long address, long bytes) implements PeerRange {
    /** Maps memory for a GPU, for reading and writing. */
    public static MappedRange of(DeviceContext context, PhysicalMemory memory) {
        GpuDriver driver = context.driver();
        MappedRange range = new MappedRange(driver, reserve(driver, memory.bytes()), memory.bytes());
        boolean mapped = false;
        boolean allowed = false;
        try {
            driver.check(
                    VirtualMemoryCalls.of(driver).map(range.address, range.bytes, memory.handle()), "mapping memory");
            mapped = true;
            driver.check(
                    VirtualMemoryCalls.of(driver).allow(range.address, range.bytes, context.ordinal()),
                    "allowing access for GPU " + context.ordinal());
            allowed = true;
            return range;
        } finally {
            if (!allowed) {
                range.undo(mapped);
            }
        }
    }

    private static long reserve(GpuDriver driver, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(ValueLayout.JAVA_LONG);
            driver.check(
                    VirtualMemoryCalls.of(driver).reserve(address, bytes),
                    "reserving addresses for " + bytes + " bytes");
            return address.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /** Undoes the mapping after a failure. Errors are ignored: the caller needs the exception of the failure. */
    private void undo(boolean mapped) {
        if (mapped) {
            int _ = VirtualMemoryCalls.of(driver).unmap(address, bytes);
        }
        int _ = VirtualMemoryCalls.of(driver).free(address, bytes);
    }

    /** At once: the driver never waits. */
    @Override
    public void whenUnmappable(DeviceContext unused, Runnable task) {
        task.run();
    }

    /** Unmaps the memory, and frees the addresses. Called once. */
    @Override
    public void unmap() {
        int unmapped = VirtualMemoryCalls.of(driver).unmap(address, bytes);
        int freed = VirtualMemoryCalls.of(driver)
                .free(address, bytes); // also after a failure, which may belong to earlier work
        driver.checkFreed(unmapped, "unmapping memory");
        driver.checkFreed(freed, "freeing addresses");
    }
}

package org.mscclj.gpu.mapping;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.mscclj.api.error.BackendException;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.gpu.driver.GpuDriver;
import org.mscclj.gpu.driver.MemoryKind;
import org.mscclj.gpu.driver.VirtualMemoryCalls;

/**
 * The driver's handle of memory of a GPU. The memory exists as long as any process has a handle or a mapping of it.
 * Calls are made in the GPU's context.
 *
 * @param driver of the GPU
 * @param handle the driver's {@code CUmemGenericAllocationHandle}
 * @param bytes size of the memory
 */
public record PhysicalMemory(GpuDriver driver, long handle, long bytes) {
    /**
     * Allocates memory with undefined content.
     *
     * @param bytes a multiple of the granularity
     * @param asked the size that the caller requested, for messages of a refusal
     * @param shareable whether other processes are to map it
     * @throws BackendException if there is not enough
     */
    public static PhysicalMemory create(DeviceContext context, long bytes, long asked, boolean shareable) {
        MemoryKind kind = kind(context, shareable);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(ValueLayout.JAVA_LONG);
            int result = VirtualMemoryCalls.of(context.driver()).create(handle, bytes, kind);
            checkAllocated(context, result, bytes, asked);
            return new PhysicalMemory(context.driver(), handle.get(ValueLayout.JAVA_LONG, 0), bytes);
        }
    }

    /** Throws if the result of an allocation is not success. */
    static void checkAllocated(DeviceContext context, int result, long bytes, long asked) {
        if (context.driver().errors().isOutOfMemory(result)) {
            throw new BackendException(
                    "no memory for " + asked + " bytes on GPU " + context.ordinal()
                            + "; free buffers, or use smaller ones",
                    result,
                    context.driver().errors().name(result));
        }
        context.driver().check(result, "the allocation of " + bytes + " bytes on GPU " + context.ordinal());
    }

    /** The granularity: sizes must be multiples of it. */
    static long granularity(DeviceContext context, boolean shareable) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(ValueLayout.JAVA_LONG);
            context.driver()
                    .check(
                            VirtualMemoryCalls.of(context.driver()).granularity(bytes, kind(context, shareable)),
                            "reading the granularity of memory");
            return bytes.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    private static MemoryKind kind(DeviceContext context, boolean shareable) {
        return new MemoryKind(context.ordinal(), shareable, context.directRdma());
    }

    /**
     * Imports memory of another process.
     *
     * @param descriptor received from that process; stays open
     * @param bytes its size there
     */
    public static PhysicalMemory imported(GpuDriver driver, int descriptor, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(ValueLayout.JAVA_LONG);
            driver.check(
                    VirtualMemoryCalls.of(driver).importDescriptor(handle, descriptor),
                    "importing the memory of a peer");
            return new PhysicalMemory(driver, handle.get(ValueLayout.JAVA_LONG, 0), bytes);
        }
    }

    /**
     * Returns a handle of memory that other software of this process has mapped, in the current context; empty if it is
     * not virtual memory, or if the driver maps none for peers.
     *
     * @param start where it is mapped
     * @param bytes how much of it is mapped there
     */
    public static Optional<PhysicalMemory> retained(GpuDriver driver, long start, long bytes) {
        if (!(driver.deviceMemory() instanceof VirtualMemoryCalls calls)) {
            return Optional.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(ValueLayout.JAVA_LONG);
            return calls.retain(handle, start) == DriverErrors.SUCCESS
                    ? Optional.of(new PhysicalMemory(driver, handle.get(ValueLayout.JAVA_LONG, 0), bytes))
                    : Optional.empty();
        }
    }

    /** Exports a new file descriptor of the memory, for another process. */
    public int exportDescriptor() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment descriptor = arena.allocate(ValueLayout.JAVA_INT);
            driver.check(VirtualMemoryCalls.of(driver).exportDescriptor(descriptor, handle), "exporting memory");
            return descriptor.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /** Releases the handle. Called once. */
    public void release() {
        driver.checkFreed(VirtualMemoryCalls.of(driver).release(handle), "releasing memory");
    }
}

package org.mscclj.gpu.mapping;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.api.error.BackendException;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.RelaxedThread;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.gpu.driver.PlainMemoryCalls;
import org.mscclj.gpu.driver.PointerAttribute;
import org.mscclj.gpu.occupancy.DeviceQuiescence;

/**
 * Memory that the driver has allocated together with its address. Allocating and freeing it breaks no capture of other
 * software. It is freed when no kernel that may wait is on its GPU, since the driver may wait for all of them.
 *
 * @param context of its GPU
 * @param calls of the driver
 * @param number the driver's number of the allocation
 */
record PlainBlock(DeviceContext context, PlainMemoryCalls calls, long address, long bytes, long number)
        implements BlockMemory {
    /**
     * Allocates memory with undefined content. Called in the GPU's context.
     *
     * @param bytes a multiple of the granularity
     * @param asked the size that the caller requested, for messages of a refusal
     * @throws BackendException if there is not enough
     */
    static PlainBlock allocate(DeviceContext context, PlainMemoryCalls calls, long bytes, long asked) {
        try (Arena arena = Arena.ofConfined();
                RelaxedThread _ = context.relax()) {
            MemorySegment value = arena.allocate(ValueLayout.JAVA_LONG);
            PhysicalMemory.checkAllocated(context, calls.allocate(value, bytes), bytes, asked);
            long address = value.get(ValueLayout.JAVA_LONG, 0);
            value.set(ValueLayout.JAVA_LONG, 0, 0);
            int result = context.driver().memory().pointerAttribute(value, PointerAttribute.BUFFER_ID, address);
            if (result != DriverErrors.SUCCESS) {
                int _ = calls.free(address);
                throw context.driver().failure(result, "reading the number of an allocation");
            }
            return new PlainBlock(context, calls, address, bytes, value.get(ValueLayout.JAVA_LONG, 0));
        }
    }

    @Override
    public void free() {
        DeviceContext kept = context.share();
        DeviceQuiescence.of(kept).soon(() -> {
            try (kept) {
                kept.run(this::freeNow);
            }
        });
    }

    private void freeNow() {
        try (RelaxedThread _ = context.relax()) {
            context.driver().checkFreed(calls.free(address), "freeing memory");
        }
    }
}

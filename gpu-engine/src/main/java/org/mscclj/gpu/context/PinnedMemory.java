package org.mscclj.gpu.context;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.gpu.driver.MemoryCalls;

/**
 * The driver's pinned memory of the host. It has the same address on the host and on every GPU of this process. Calls
 * are made in a GPU's context, and break no capture of other software.
 */
public final class PinnedMemory {
    private PinnedMemory() {}

    /**
     * Allocates memory with undefined content, and returns its address.
     *
     * @throws org.mscclj.api.error.BackendException if there is not enough
     */
    public static long allocate(DeviceContext context, long bytes) {
        try (Arena arena = Arena.ofConfined();
                RelaxedThread _ = context.relax()) {
            MemoryCalls memory = context.driver().memory();
            MemorySegment host = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment device = arena.allocate(ValueLayout.JAVA_LONG);
            context.driver()
                    .check(
                            memory.allocatePinned(host, Math.max(bytes, 1)),
                            "the allocation of " + bytes + " bytes of pinned memory");
            long address = host.get(ValueLayout.JAVA_LONG, 0);
            int result = memory.devicePointer(device, address);
            if (result != DriverErrors.SUCCESS || device.get(ValueLayout.JAVA_LONG, 0) != address) {
                free(context, address);
                context.driver().check(result, "reading the device address of pinned memory");
                throw new UnsupportedException(
                        "this system has no unified addressing: the GPU sees pinned memory at another address"
                                + " than the host");
            }
            return address;
        }
    }

    /** Frees memory. */
    public static void free(DeviceContext context, long address) {
        try (RelaxedThread _ = context.relax()) {
            context.driver().checkFreed(context.driver().memory().freePinned(address), "freeing pinned memory");
        }
    }
}

package org.mscclj.gpu.driver;

import java.lang.foreign.MemorySegment;

/**
 * Memory of a GPU that has an address from the start. All GPUs of the process that can access the memory use that
 * address, and other processes open its handle of {@link MemoryCalls#exportHandle}. The memory stays while one of them
 * has it open.
 */
public non-sealed interface PlainMemoryCalls extends DeviceMemoryCalls {
    /** The granularity, in bytes: sizes should be multiples of it. */
    long granularity();

    /**
     * Allocates memory of the current context's GPU, and writes its address. Kernels of several GPUs that run at the
     * same time see each other's writes to it. It is not cleared.
     */
    int allocate(MemorySegment address, long bytes);

    /** Frees memory. May wait until all work on its GPU has ended. */
    int free(long address);
}

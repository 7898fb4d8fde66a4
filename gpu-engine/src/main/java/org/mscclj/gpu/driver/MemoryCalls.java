package org.mscclj.gpu.driver;

import java.lang.foreign.MemorySegment;

/** Pinned memory of the host, and memory that other software of this process has allocated. */
public interface MemoryCalls {
    /** Size of a handle of an allocation for other processes, in bytes. */
    int HANDLE_BYTES = 64;

    /** Takes pinned memory that every GPU of this process can access. */
    int allocatePinned(MemorySegment address, long bytes);

    /** Frees pinned memory. */
    int freePinned(long address);

    /** Writes the address at which the current context's GPU sees pinned memory. */
    int devicePointer(MemorySegment device, long host);

    /**
     * Writes what the driver knows about an address.
     *
     * @param value 8 bytes, of which some attributes fill fewer
     * @param attribute what is asked
     */
    int pointerAttribute(MemorySegment value, PointerAttribute attribute, long address);

    /** Writes where an allocation starts, and its size; of virtual memory, what one handle is mapped at. */
    int range(MemorySegment start, MemorySegment bytes, long address);

    /**
     * Writes the handle of an allocation.
     *
     * @param handle {@link #HANDLE_BYTES} of native memory
     * @param start where the allocation starts
     */
    int exportHandle(MemorySegment handle, long start);

    /**
     * Opens a handle of another process for the current context's GPU, and writes where the allocation starts here.
     *
     * @param handle {@link #HANDLE_BYTES} of native memory
     */
    int openHandle(MemorySegment start, MemorySegment handle);

    /** Undoes {@link #openHandle}. */
    int closeHandle(long start);
}

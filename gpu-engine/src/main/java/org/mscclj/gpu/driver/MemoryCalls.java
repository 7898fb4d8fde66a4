package org.mscclj.gpu.driver;

import java.lang.foreign.MemorySegment;

/** Pinned memory of the host, and memory that other software of this process has allocated. */
public interface MemoryCalls {
    /** The size of an allocation's handle for other processes, in bytes. */
    int HANDLE_BYTES = 64;

    /** Allocates pinned memory that every GPU of this process can access. */
    int allocatePinned(MemorySegment address, long bytes);

    /** Frees pinned memory. */
    int freePinned(long address);

    /** Writes the address of pinned memory on the current context's GPU. */
    int devicePointer(MemorySegment device, long host);

    /**
     * Writes an attribute of an address.
     *
     * @param value 8 bytes, of which some attributes fill fewer
     * @param attribute the attribute
     */
    int pointerAttribute(MemorySegment value, PointerAttribute attribute, long address);

    /**
     * Writes the start of an allocation, and its size. For virtual memory, this is the range at which one handle is
     * mapped.
     */
    int range(MemorySegment start, MemorySegment bytes, long address);

    /**
     * Whether kernels of several GPUs that run at the same time see each other's writes to the memory at an address of
     * a GPU.
     */
    boolean isCoherent(long address);

    /**
     * Writes a new file descriptor of a DMA-BUF, an int, by which network cards access memory of the current context's
     * GPU. The caller closes it.
     *
     * @param start a multiple of the size of the host's pages
     * @param bytes another multiple, within one allocation
     */
    int exportDmaBuf(MemorySegment descriptor, long start, long bytes);

    /**
     * Writes the handle of an allocation.
     *
     * @param handle {@link #HANDLE_BYTES} of native memory
     * @param start the start of the allocation
     */
    int exportHandle(MemorySegment handle, long start);

    /**
     * Opens a handle of another process for the current context's GPU, and writes the start of the allocation in this
     * process. A handle that is open is not opened again.
     *
     * @param handle {@link #HANDLE_BYTES} of native memory
     */
    int openHandle(MemorySegment start, MemorySegment handle);

    /** Undoes {@link #openHandle}. May wait until all work on the GPU has ended. */
    int closeHandle(long start);
}

package org.mscclj.gpu.driver;

import java.lang.foreign.MemorySegment;

/** Physical memory of a GPU and the addresses at which it is mapped. */
public non-sealed interface VirtualMemoryCalls extends DeviceMemoryCalls {
    /** The calls of a driver that allocates memory of GPUs as virtual memory. */
    static VirtualMemoryCalls of(GpuDriver driver) {
        return switch (driver.deviceMemory()) {
            case VirtualMemoryCalls calls -> calls;
            case PlainMemoryCalls _ ->
                throw new IllegalStateException("backend " + driver.backend() + " has no virtual memory");
        };
    }

    /** Writes the granularity, a long: sizes should be multiples of it. */
    int granularity(MemorySegment bytes, MemoryKind kind);

    /** Allocates physical memory without an address. It is not cleared. */
    int create(MemorySegment handle, long bytes, MemoryKind kind);

    /** Releases a handle. The memory stays while it is mapped, or while another handle exists. */
    int release(long handle);

    /** Reserves addresses. */
    int reserve(MemorySegment address, long bytes);

    /** Frees addresses, with the size that was reserved. */
    int free(long address, long bytes);

    /** Maps memory at reserved addresses, from its start. */
    int map(long address, long bytes, long handle);

    /** Undoes {@link #map}. */
    int unmap(long address, long bytes);

    /** Gives a GPU read and write access to the memory mapped at an address. */
    int allow(long address, long bytes, int ordinal);

    /** Writes a new file descriptor of the memory, an int, for another process. */
    int exportDescriptor(MemorySegment descriptor, long handle);

    /** Writes a handle of a descriptor's memory. The caller still has to close the descriptor. */
    int importDescriptor(MemorySegment handle, int descriptor);

    /** Writes another handle of the memory that is mapped at an address. The caller releases it. */
    int retain(MemorySegment handle, long address);
}

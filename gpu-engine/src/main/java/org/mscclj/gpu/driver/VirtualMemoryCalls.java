package org.mscclj.gpu.driver;

import java.lang.foreign.MemorySegment;

/** Physical memory of a GPU and the addresses at which it is mapped. */
public interface VirtualMemoryCalls {
    /** What sizes should be a multiple of, as a long. */
    int granularity(MemorySegment bytes, MemoryKind kind);

    /** Takes physical memory without an address, not cleared. */
    int create(MemorySegment handle, long bytes, MemoryKind kind);

    /** Gives a handle up; the memory stays while it is mapped, or held by others. */
    int release(long handle);

    /** Reserves addresses. */
    int reserve(MemorySegment address, long bytes);

    /** Frees addresses, with the size that was reserved. */
    int free(long address, long bytes);

    /** Maps memory at reserved addresses, from its start. */
    int map(long address, long bytes, long handle);

    /** Undoes {@link #map}. */
    int unmap(long address, long bytes);

    /** Lets a GPU read and write what is mapped at an address. */
    int allow(long address, long bytes, int ordinal);

    /** Writes a new file descriptor of memory, an int, for another process. */
    int exportDescriptor(MemorySegment descriptor, long handle);

    /** Writes a handle of the memory of a descriptor, which the caller still has to close. */
    int importDescriptor(MemorySegment handle, int descriptor);

    /** Writes one more handle of memory that is mapped at an address, to be released. */
    int retain(MemorySegment handle, long address);
}

package org.mscclj.gpu.driver;

/** What a driver knows about an address. */
public enum PointerAttribute {
    /** The context in which the memory was allocated. */
    CONTEXT,
    /** {@link #ON_DEVICE} for memory of a GPU. */
    MEMORY_TYPE,
    /** Tells the allocation apart from all others of this process, at any time. */
    BUFFER_ID,
    /** Not 0 for managed memory. */
    MANAGED,
    /** The number of the GPU. */
    DEVICE_ORDINAL,
    /** Where the allocation starts, or the addresses that were reserved for virtual memory. */
    RANGE_START,
    /** Size of the allocation or of the reserved addresses, in bytes. */
    RANGE_SIZE,
    /** {@link #DESCRIPTOR} is set where virtual memory can go to other processes as a file descriptor. */
    HANDLE_TYPES,
    /** The pool of the allocation; 0 if it is from none. */
    POOL;

    /** The {@link #MEMORY_TYPE} of memory of a GPU. */
    public static final long ON_DEVICE = 2;

    /** A bit of {@link #HANDLE_TYPES}. */
    public static final long DESCRIPTOR = 1;
}

package org.mscclj.gpu.driver;

/** Attributes of an address that a driver reports. */
public enum PointerAttribute {
    /** The context in which the memory was allocated. */
    CONTEXT,
    /** {@link #ON_DEVICE} for memory of a GPU. */
    MEMORY_TYPE,
    /** Identifies the allocation among all others of this process, at any time. */
    BUFFER_ID,
    /** Not 0 for managed memory. */
    MANAGED,
    /** The number of the GPU. */
    DEVICE_ORDINAL,
    /** The start of the allocation, or of the addresses that were reserved for virtual memory. */
    RANGE_START,
    /** The size of the allocation or of the reserved addresses, in bytes. */
    RANGE_SIZE,
    /** {@link #DESCRIPTOR} is set if virtual memory can be exported to other processes as a file descriptor. */
    HANDLE_TYPES,
    /** The pool of the allocation; 0 if it is from no pool. */
    POOL;

    /** The {@link #MEMORY_TYPE} of memory of a GPU. */
    public static final long ON_DEVICE = 2;

    /** A bit of {@link #HANDLE_TYPES}. */
    public static final long DESCRIPTOR = 1;
}

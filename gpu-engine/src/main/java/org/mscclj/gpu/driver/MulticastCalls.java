package org.mscclj.gpu.driver;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Multicast objects: a store to one reaches the memory of several GPUs, and a load from one reduces theirs. An object
 * is a handle of memory: {@link VirtualMemoryCalls} map, export, import and release it. May allocate.
 */
public interface MulticastCalls {
    /** The size of a handle for the fabric, in bytes. */
    int FABRIC_HANDLE_BYTES = 64;

    /**
     * Required properties of an object.
     *
     * @param members the number of GPUs that are added to it
     * @param bytes its size
     * @param shareable whether other processes open it by a file descriptor
     * @param fabric whether processes of other hosts open it by a handle for the fabric
     */
    record Kind(int members, long bytes, boolean shareable, boolean fabric) {}

    /** Whether the driver has the functions. Looks them up. */
    boolean present();

    /** The first driver that has them, for users. */
    String firstDriver();

    /** The hardware that has multicast, for users. */
    String neededHardware();

    /** What to check if a call has had a result; empty if nothing is known about it. */
    Optional<String> advice(int result);

    /** Writes whether a GPU has multicast: an int, 0 for no. */
    int supported(int ordinal, MemorySegment can);

    /** Writes the least granularity of bound memory, a long. */
    int granularity(MemorySegment bytes, Kind kind);

    /** Creates an object without devices, and writes its handle. */
    int create(MemorySegment handle, Kind kind);

    /** Adds a GPU. */
    int addDevice(long object, int ordinal);

    /** Binds a range of memory by its handle. */
    int bindMemory(long object, long offset, long memory, long memoryOffset, long bytes);

    /** Binds a range of memory by its address. */
    int bindAddress(long object, long offset, long address, long bytes);

    /** Undoes a binding of a GPU's memory, with the position and the size of the binding. */
    int unbind(long object, int ordinal, long offset, long bytes);

    /** Writes the handle for the fabric, of {@link #FABRIC_HANDLE_BYTES} bytes. */
    int exportFabric(MemorySegment fabric, long object);

    /** Writes a handle of the object that a handle for the fabric is of. */
    int importFabric(MemorySegment handle, MemorySegment fabric);
}

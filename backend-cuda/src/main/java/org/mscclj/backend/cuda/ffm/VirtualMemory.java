package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import org.mscclj.gpu.driver.MemoryKind;
import org.mscclj.gpu.driver.VirtualMemoryCalls;
import org.mscclj.posix.ForeignCalls;
import org.mscclj.posix.IntCall;

/**
 * Calls for physical memory of a GPU and the addresses at which it is mapped: the driver's virtual memory management.
 * They return the driver's result.
 */
public final class VirtualMemory implements VirtualMemoryCalls {
    /** {@code CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR}. */
    static final int DESCRIPTOR = 1;

    /** {@code CU_MEM_ALLOCATION_TYPE_PINNED}. */
    private static final int PINNED = 1;

    /** {@code CU_MEM_LOCATION_TYPE_DEVICE}. */
    private static final int ON_DEVICE = 1;

    /** {@code CU_MEM_ACCESS_FLAGS_PROT_READWRITE}. */
    private static final int READ_WRITE = 3;

    /** {@code CU_MEM_ALLOC_GRANULARITY_RECOMMENDED}. */
    static final int RECOMMENDED = 1;

    /** {@code CUmemAllocationProp}. */
    private static final StructLayout PROPERTIES = MemoryLayout.structLayout(
            JAVA_INT.withName("type"),
            JAVA_INT.withName("requestedHandleTypes"),
            JAVA_INT.withName("location.type"),
            JAVA_INT.withName("location.id"),
            ADDRESS.withName("win32HandleMetaData"),
            JAVA_BYTE.withName("compressionType"),
            JAVA_BYTE.withName("gpuDirectRDMACapable"),
            MemoryLayout.paddingLayout(6));

    /** {@code CUmemAccessDesc}. */
    private static final StructLayout ACCESS = MemoryLayout.structLayout(
            JAVA_INT.withName("location.type"), JAVA_INT.withName("location.id"), JAVA_INT.withName("flags"));

    private static final long DIRECT_RDMA = 25;

    private static final MethodHandle GRANULARITY = DriverLibrary.bind(
            "cuMemGetAllocationGranularity", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    private static final MethodHandle CREATE =
            DriverLibrary.bind("cuMemCreate", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG));
    private static final IntCall RELEASE = DriverLibrary.call("cuMemRelease", JAVA_LONG);
    private static final MethodHandle RESERVE = DriverLibrary.bind(
            "cuMemAddressReserve",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final IntCall FREE = DriverLibrary.call("cuMemAddressFree", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle MAP = DriverLibrary.bind(
            "cuMemMap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final IntCall UNMAP = DriverLibrary.call("cuMemUnmap", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SET_ACCESS = DriverLibrary.bind(
            "cuMemSetAccess", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG));
    private static final MethodHandle EXPORT = DriverLibrary.bind(
            "cuMemExportToShareableHandle", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final IntCall IMPORT =
            DriverLibrary.call("cuMemImportFromShareableHandle", ADDRESS, JAVA_LONG, JAVA_INT);

    private static final IntCall RETAIN = DriverLibrary.call("cuMemRetainAllocationHandle", ADDRESS, JAVA_LONG);

    /** The only instance: it has no state. */
    public static final VirtualMemoryCalls INSTANCE = new VirtualMemory();

    private VirtualMemory() {}

    /** The properties of physical memory, in the driver's layout. */
    static MemorySegment properties(Arena arena, MemoryKind kind) {
        MemorySegment properties = arena.allocate(PROPERTIES);
        properties.setAtIndex(JAVA_INT, 0, PINNED);
        properties.setAtIndex(JAVA_INT, 1, kind.shareable() ? DESCRIPTOR : 0);
        properties.setAtIndex(JAVA_INT, 2, ON_DEVICE);
        properties.setAtIndex(JAVA_INT, 3, kind.ordinal());
        properties.set(JAVA_BYTE, DIRECT_RDMA, (byte) (kind.directRdma() ? 1 : 0));
        return properties;
    }

    /** {@code cuMemGetAllocationGranularity}, the recommended one: sizes must be multiples of it. */
    @Override
    public int granularity(MemorySegment bytes, MemoryKind kind) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) GRANULARITY.invokeExact(bytes, properties(arena, kind), RECOMMENDED);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuMemCreate}: allocates physical memory without an address. It is not cleared. */
    @Override
    public int create(MemorySegment handle, long bytes, MemoryKind kind) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) CREATE.invokeExact(handle, bytes, properties(arena, kind), 0L);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code cuMemRelease}: releases the handle. The memory stays while it is mapped, or while another handle exists.
     */
    @Override
    public int release(long handle) {
        return RELEASE.call(handle);
    }

    /** {@code cuMemAddressReserve}. */
    @Override
    public int reserve(MemorySegment address, long bytes) {
        try {
            return (int) RESERVE.invokeExact(address, bytes, 0L, 0L, 0L);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuMemAddressFree}, with the size that was reserved. */
    @Override
    public int free(long address, long bytes) {
        return FREE.call(address, bytes);
    }

    /** {@code cuMemMap}, from the start of the memory. */
    @Override
    public int map(long address, long bytes, long handle) {
        try {
            return (int) MAP.invokeExact(address, bytes, 0L, handle, 0L);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuMemUnmap}. */
    @Override
    public int unmap(long address, long bytes) {
        return UNMAP.call(address, bytes);
    }

    /** {@code cuMemSetAccess}: gives a GPU read and write access. */
    @Override
    public int allow(long address, long bytes, int ordinal) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) SET_ACCESS.invokeExact(address, bytes, access(arena, ordinal), 1L);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** A descriptor of read and write access for a GPU. */
    static MemorySegment access(Arena arena, int ordinal) {
        MemorySegment access = arena.allocate(ACCESS);
        access.setAtIndex(JAVA_INT, 0, ON_DEVICE);
        access.setAtIndex(JAVA_INT, 1, ordinal);
        access.setAtIndex(JAVA_INT, 2, READ_WRITE);
        return access;
    }

    /** {@code cuMemExportToShareableHandle}: a new file descriptor. */
    @Override
    public int exportDescriptor(MemorySegment descriptor, long handle) {
        try {
            return (int) EXPORT.invokeExact(descriptor, handle, DESCRIPTOR, 0L);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code cuMemImportFromShareableHandle}: the descriptor, which the caller still has to close, is passed by value.
     */
    @Override
    public int importDescriptor(MemorySegment handle, int descriptor) {
        return IMPORT.call(handle, (long) descriptor, DESCRIPTOR);
    }

    /** {@code cuMemRetainAllocationHandle}: another handle of virtual memory, which the caller releases. */
    @Override
    public int retain(MemorySegment handle, long address) {
        return RETAIN.call(handle, address);
    }
}

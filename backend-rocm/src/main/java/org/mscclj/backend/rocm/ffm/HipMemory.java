package org.mscclj.backend.rocm.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.util.Set;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.gpu.driver.MemoryCalls;
import org.mscclj.gpu.driver.PlainMemoryCalls;
import org.mscclj.gpu.driver.PointerAttribute;
import org.mscclj.posix.IntCall;

/** Calls for memory of GPUs, for pinned memory, for attributes of addresses, and for handles of allocations. */
public final class HipMemory implements MemoryCalls, PlainMemoryCalls {
    /** {@code hipIpcMemHandle_t}, which is passed by value. */
    private static final StructLayout HANDLE =
            MemoryLayout.structLayout(MemoryLayout.sequenceLayout(HANDLE_BYTES, JAVA_BYTE));

    /** {@code hipDeviceMallocFinegrained}, {@code hipDeviceMallocUncached} and {@code hipDeviceMallocContiguous}. */
    static final int FINE_GRAINED = 1;

    static final int UNCACHED = 3;

    static final int CONTIGUOUS = 4;

    /** The flags of memory that GPUs keep coherent while kernels run. */
    private static final Set<Integer> COHERENT = Set.of(FINE_GRAINED, UNCACHED, CONTIGUOUS);

    /**
     * {@code hipHostMallocPortable}, {@code hipHostMallocMapped} and {@code hipHostMallocCoherent}: every GPU of this
     * process can access it, and sees the host's writes while kernels run.
     */
    static final int PORTABLE_MAPPED_AND_COHERENT = 0x40000003;

    /** The first version with the next two numbers. */
    private static final int NEWER_NUMBERS = 6;

    /** {@code hipIpcMemLazyEnablePeerAccess}, which the call requires. */
    static final int LAZY_PEER_ACCESS = lazyPeerAccess(HipRuntime.major());

    /** {@code hipMemoryTypeDevice}. */
    static final int ON_DEVICE = onDevice(HipRuntime.major());

    /** The size of {@code hipPointerAttribute_t}, and more bytes for fields that a later version may add. */
    static final long ATTRIBUTES_BYTES = 128;

    /** The offset of its field {@code allocationFlags}, which is the same in all versions. */
    static final long ALLOCATION_FLAGS = 28;

    /** {@code hipMemRangeHandleTypeDmaBufFd}. */
    private static final int DMA_BUF_DESCRIPTOR = 1;

    /** The size of the pages by which GPUs map memory best. */
    private static final long GRANULARITY = 2 << 20;

    private static final IntCall ALLOCATE = HipLibrary.call("hipExtMallocWithFlags", ADDRESS, JAVA_LONG, JAVA_INT);
    private static final IntCall FREE = HipLibrary.call("hipFree", JAVA_LONG);
    private static final IntCall ALLOCATE_PINNED = HipLibrary.call("hipHostMalloc", ADDRESS, JAVA_LONG, JAVA_INT);
    private static final IntCall FREE_PINNED = HipLibrary.call("hipHostFree", JAVA_LONG);
    private static final IntCall DEVICE_POINTER =
            HipLibrary.call("hipHostGetDevicePointer", ADDRESS, JAVA_LONG, JAVA_INT);
    private static final IntCall ATTRIBUTE = HipLibrary.call("hipPointerGetAttribute", ADDRESS, JAVA_INT, JAVA_LONG);
    private static final IntCall ATTRIBUTES = HipLibrary.call("hipPointerGetAttributes", ADDRESS, JAVA_LONG);
    private static final IntCall RANGE = HipLibrary.call("hipMemGetAddressRange", ADDRESS, ADDRESS, JAVA_LONG);
    private static final String DMA_BUF_NAME = "hipMemGetHandleForAddressRange";
    private static final IntCall DMA_BUF =
            HipLibrary.call(DMA_BUF_NAME, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final IntCall GET_HANDLE = HipLibrary.call("hipIpcGetMemHandle", ADDRESS, JAVA_LONG);
    private static final IntCall OPEN_HANDLE = HipLibrary.call("hipIpcOpenMemHandle", ADDRESS, HANDLE, JAVA_INT);
    private static final IntCall CLOSE_HANDLE = HipLibrary.call("hipIpcCloseMemHandle", JAVA_LONG);

    /** The only instance: it has no state. */
    public static final HipMemory INSTANCE = new HipMemory();

    private HipMemory() {}

    /** {@code hipIpcMemLazyEnablePeerAccess} of a major version. */
    static int lazyPeerAccess(int major) {
        return major >= NEWER_NUMBERS ? 1 : 0;
    }

    /** {@code hipMemoryTypeDevice} of a major version. */
    static int onDevice(int major) {
        return major >= NEWER_NUMBERS ? 2 : 1;
    }

    @Override
    public long granularity() {
        return GRANULARITY;
    }

    /** {@code hipExtMallocWithFlags}, uncached: ordinary memory is coherent between GPUs when kernels end only. */
    @Override
    public int allocate(MemorySegment address, long bytes) {
        return ALLOCATE.call(address, bytes, UNCACHED);
    }

    /** {@code hipFree}, which waits for all streams of the GPU. */
    @Override
    public int free(long address) {
        return FREE.call(address);
    }

    /** {@code hipHostMalloc}, for all GPUs. */
    @Override
    public int allocatePinned(MemorySegment address, long bytes) {
        return ALLOCATE_PINNED.call(address, bytes, PORTABLE_MAPPED_AND_COHERENT);
    }

    /** {@code hipHostFree}. */
    @Override
    public int freePinned(long address) {
        return FREE_PINNED.call(address);
    }

    /** {@code hipHostGetDevicePointer}. */
    @Override
    public int devicePointer(MemorySegment device, long host) {
        return DEVICE_POINTER.call(device, host, 0);
    }

    /** {@code hipPointerGetAttribute}. Contexts are not HIP's: see {@link HipContexts}. */
    @Override
    public int pointerAttribute(MemorySegment value, PointerAttribute attribute, long address) {
        if (attribute == PointerAttribute.CONTEXT) {
            return HipErrors.NOT_SUPPORTED;
        }
        int result = HipErrors.forgotten(ATTRIBUTE.call(value, number(attribute), address));
        if (result == DriverErrors.SUCCESS && attribute == PointerAttribute.MEMORY_TYPE) {
            boolean onDevice = value.get(JAVA_INT, 0) == ON_DEVICE;
            value.set(JAVA_LONG, 0, onDevice ? PointerAttribute.ON_DEVICE : 0);
        }
        return result;
    }

    /** The number in {@code hipPointer_attribute}. */
    static int number(PointerAttribute attribute) {
        return switch (attribute) {
            case CONTEXT -> 1;
            case MEMORY_TYPE -> 2;
            case BUFFER_ID -> 7;
            case MANAGED -> 8;
            case DEVICE_ORDINAL -> 9;
            case RANGE_START -> 11;
            case RANGE_SIZE -> 12;
            case HANDLE_TYPES -> 14;
            case POOL -> 17;
        };
    }

    /** {@code hipMemGetAddressRange}. */
    @Override
    public int range(MemorySegment start, MemorySegment bytes, long address) {
        return RANGE.call(start, bytes, address);
    }

    /** By the flags of the allocation, of {@code hipPointerGetAttributes}. */
    @Override
    public boolean isCoherent(long address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(ATTRIBUTES_BYTES, Long.BYTES);
            return HipErrors.forgotten(ATTRIBUTES.call(attributes, address)) == DriverErrors.SUCCESS
                    && COHERENT.contains(attributes.get(JAVA_INT, ALLOCATION_FLAGS));
        }
    }

    /** {@code hipMemGetHandleForAddressRange}, since HIP 7. */
    @Override
    public int exportDmaBuf(MemorySegment descriptor, long start, long bytes) {
        return HipLibrary.has(DMA_BUF_NAME)
                ? DMA_BUF.call(descriptor, start, bytes, DMA_BUF_DESCRIPTOR, 0L)
                : HipErrors.NOT_SUPPORTED;
    }

    /** {@code hipIpcGetMemHandle}. */
    @Override
    public int exportHandle(MemorySegment handle, long start) {
        return GET_HANDLE.call(handle, start);
    }

    /** {@code hipIpcOpenMemHandle}, for the current GPU. */
    @Override
    public int openHandle(MemorySegment start, MemorySegment handle) {
        return OPEN_HANDLE.call(start, handle, LAZY_PEER_ACCESS);
    }

    /** {@code hipIpcCloseMemHandle}, which waits for all streams of the GPU. */
    @Override
    public int closeHandle(long start) {
        return CLOSE_HANDLE.call(start);
    }
}

package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import org.mscclj.gpu.driver.MemoryCalls;
import org.mscclj.gpu.driver.PointerAttribute;
import org.mscclj.posix.ForeignCalls;
import org.mscclj.posix.IntCall;

/**
 * Calls for pinned memory, for attributes of addresses, and for access of other GPUs and processes to memory that other
 * software of this process has allocated, by legacy IPC.
 */
public final class OtherMemory implements MemoryCalls {
    /** {@code CUipcMemHandle}, which is passed by value. */
    private static final StructLayout HANDLE =
            MemoryLayout.structLayout(MemoryLayout.sequenceLayout(HANDLE_BYTES, JAVA_BYTE));

    /** {@code CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS}, which the driver requires. */
    static final int LAZY_PEER_ACCESS = 1;

    /** {@code CU_MEMHOSTALLOC_PORTABLE} and {@code _DEVICEMAP}: every GPU of this process can access it. */
    static final int PORTABLE_AND_MAPPED = 3;

    private static final IntCall ALLOCATE_PINNED = DriverLibrary.call("cuMemHostAlloc", ADDRESS, JAVA_LONG, JAVA_INT);
    private static final IntCall FREE_PINNED = DriverLibrary.call("cuMemFreeHost", JAVA_LONG);
    private static final IntCall DEVICE_POINTER =
            DriverLibrary.call("cuMemHostGetDevicePointer_v2", ADDRESS, JAVA_LONG, JAVA_INT);
    /** {@code CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD}. */
    private static final int DMA_BUF_DESCRIPTOR = 1;

    private static final MethodHandle POINTER_ATTRIBUTE =
            DriverLibrary.bind("cuPointerGetAttribute", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG));
    private static final MethodHandle RANGE =
            DriverLibrary.bind("cuMemGetAddressRange_v2", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG));
    private static final String DMA_BUF_NAME = "cuMemGetHandleForAddressRange";
    private static final IntCall DMA_BUF =
            DriverLibrary.call(DMA_BUF_NAME, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final IntCall GET_HANDLE = DriverLibrary.call("cuIpcGetMemHandle", ADDRESS, JAVA_LONG);
    private static final MethodHandle OPEN_HANDLE =
            DriverLibrary.bind("cuIpcOpenMemHandle_v2", FunctionDescriptor.of(JAVA_INT, ADDRESS, HANDLE, JAVA_INT));
    private static final IntCall CLOSE_HANDLE = DriverLibrary.call("cuIpcCloseMemHandle", JAVA_LONG);

    /** The only instance: it has no state. */
    public static final MemoryCalls INSTANCE = new OtherMemory();

    private OtherMemory() {}

    /** {@code cuMemHostAlloc}, for all GPUs. */
    @Override
    public int allocatePinned(MemorySegment address, long bytes) {
        return ALLOCATE_PINNED.call(address, bytes, PORTABLE_AND_MAPPED);
    }

    /** {@code cuMemFreeHost}. */
    @Override
    public int freePinned(long address) {
        return FREE_PINNED.call(address);
    }

    /** {@code cuMemHostGetDevicePointer}. */
    @Override
    public int devicePointer(MemorySegment device, long host) {
        return DEVICE_POINTER.call(device, host, 0);
    }

    /** {@code cuPointerGetAttribute}. */
    @Override
    public int pointerAttribute(MemorySegment value, PointerAttribute attribute, long address) {
        try {
            return (int) POINTER_ATTRIBUTE.invokeExact(value, number(attribute), address);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** The number in {@code CUpointer_attribute}. */
    private static int number(PointerAttribute attribute) {
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

    /**
     * {@code cuMemGetAddressRange}. For virtual memory, this is the range at which one handle is mapped, not everything
     * that was reserved.
     */
    @Override
    public int range(MemorySegment start, MemorySegment bytes, long address) {
        try {
            return (int) RANGE.invokeExact(start, bytes, address);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    @Override
    public boolean isCoherent(long address) {
        return true;
    }

    /** {@code cuMemGetHandleForAddressRange}, since CUDA 11.7, where the kernel's driver supports it. */
    @Override
    public int exportDmaBuf(MemorySegment descriptor, long start, long bytes) {
        return DriverLibrary.has(DMA_BUF_NAME)
                ? DMA_BUF.call(descriptor, start, bytes, DMA_BUF_DESCRIPTOR, 0L)
                : Errors.NOT_SUPPORTED;
    }

    /**
     * {@code cuIpcGetMemHandle}.
     *
     * @param handle {@link #HANDLE_BYTES} of native memory, to be filled
     * @param start where the allocation starts
     */
    @Override
    public int exportHandle(MemorySegment handle, long start) {
        return GET_HANDLE.call(handle, start);
    }

    /**
     * {@code cuIpcOpenMemHandle}, for the current context's GPU.
     *
     * @param handle {@link #HANDLE_BYTES} of native memory
     */
    @Override
    public int openHandle(MemorySegment start, MemorySegment handle) {
        try {
            return (int) OPEN_HANDLE.invokeExact(start, handle, LAZY_PEER_ACCESS);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuIpcCloseMemHandle}. */
    @Override
    public int closeHandle(long start) {
        return CLOSE_HANDLE.call(start);
    }
}

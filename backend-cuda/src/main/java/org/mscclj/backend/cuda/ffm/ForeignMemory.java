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
import org.mscclj.posix.ForeignCalls;

/**
 * Memory that other software of this process has allocated, and how other GPUs and processes get at it. Functions give
 * the driver's result.
 */
public final class ForeignMemory {
    /** Size of a {@code CUipcMemHandle}, in bytes. */
    public static final int HANDLE_BYTES = 64;

    /** {@code CUipcMemHandle}, which is passed by value. */
    private static final StructLayout HANDLE =
            MemoryLayout.structLayout(MemoryLayout.sequenceLayout(HANDLE_BYTES, JAVA_BYTE));

    /** {@code CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS}, which must be given. */
    static final int LAZY_PEER_ACCESS = 1;

    private static final MethodHandle RANGE =
            DriverLibrary.bind("cuMemGetAddressRange_v2", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG));
    private static final MethodHandle RETAIN =
            DriverLibrary.bind("cuMemRetainAllocationHandle", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle GET_HANDLE =
            DriverLibrary.bind("cuIpcGetMemHandle", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle OPEN_HANDLE =
            DriverLibrary.bind("cuIpcOpenMemHandle_v2", FunctionDescriptor.of(JAVA_INT, ADDRESS, HANDLE, JAVA_INT));
    private static final MethodHandle CLOSE_HANDLE =
            DriverLibrary.bind("cuIpcCloseMemHandle", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private static final MethodHandle PEER_ACCESS =
            DriverLibrary.bind("cuCtxEnablePeerAccess", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));

    private ForeignMemory() {}

    /** {@code cuMemGetAddressRange}: of virtual memory, what one handle is mapped at, and not all that was reserved. */
    public static int range(MemorySegment start, MemorySegment bytes, long address) {
        try {
            return (int) RANGE.invokeExact(start, bytes, address);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuMemRetainAllocationHandle}: one more handle of virtual memory, to be released. */
    public static int retain(MemorySegment handle, long address) {
        try {
            return (int) RETAIN.invokeExact(handle, address);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code cuIpcGetMemHandle}.
     *
     * @param handle {@link #HANDLE_BYTES} of native memory, to be filled
     * @param start where the allocation starts
     */
    public static int legacyHandle(MemorySegment handle, long start) {
        try {
            return (int) GET_HANDLE.invokeExact(handle, start);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code cuIpcOpenMemHandle}, for the current context's GPU.
     *
     * @param handle {@link #HANDLE_BYTES} of native memory
     */
    public static int openLegacyHandle(MemorySegment start, MemorySegment handle) {
        try {
            return (int) OPEN_HANDLE.invokeExact(start, handle, LAZY_PEER_ACCESS);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuIpcCloseMemHandle}. */
    public static int closeLegacyHandle(long start) {
        try {
            return (int) CLOSE_HANDLE.invokeExact(start);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code cuCtxEnablePeerAccess}: lets the current context's GPU access what {@code cuMemAlloc} gives in another
     * context.
     */
    public static int enablePeerAccess(long peerContext) {
        try {
            return (int) PEER_ACCESS.invokeExact(peerContext, 0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}

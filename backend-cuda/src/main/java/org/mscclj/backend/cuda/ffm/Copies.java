package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.mscclj.posix.ForeignCalls;

/**
 * Copies and fills in a stream, pinned memory, and what the driver knows about an address. Functions give the driver's
 * result, and allocate nothing.
 */
public final class Copies {
    /** {@code CU_MEMHOSTALLOC_PORTABLE} and {@code _DEVICEMAP}: every GPU of this process can access it. */
    static final int PORTABLE_AND_MAPPED = 3;

    private static final MethodHandle WITHIN_DEVICES = DriverLibrary.bind(
            "cuMemcpyDtoDAsync_v2", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle TO_HOST = DriverLibrary.bind(
            "cuMemcpyDtoHAsync_v2", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle FROM_HOST = DriverLibrary.bind(
            "cuMemcpyHtoDAsync_v2", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle FILL = DriverLibrary.bind(
            "cuMemsetD8Async", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_BYTE, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle ALLOCATE_PINNED =
            DriverLibrary.bind("cuMemHostAlloc", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle FREE_PINNED =
            DriverLibrary.bind("cuMemFreeHost", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private static final MethodHandle DEVICE_POINTER = DriverLibrary.bind(
            "cuMemHostGetDevicePointer_v2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle POINTER_ATTRIBUTE =
            DriverLibrary.bind("cuPointerGetAttribute", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG));

    private Copies() {}

    /** {@code cuMemcpyDtoDAsync}; addresses may also be of peers, or of pinned memory. */
    public static int withinDevices(long destination, long source, long bytes, long stream) {
        try {
            return (int) WITHIN_DEVICES.invokeExact(destination, source, bytes, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuMemcpyDtoHAsync}, to pinned memory: otherwise it may block. */
    public static int toHost(long destination, long source, long bytes, long stream) {
        try {
            return (int) TO_HOST.invokeExact(destination, source, bytes, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuMemcpyHtoDAsync}, from pinned memory: otherwise it may block. */
    public static int fromHost(long destination, long source, long bytes, long stream) {
        try {
            return (int) FROM_HOST.invokeExact(destination, source, bytes, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuMemsetD8Async} with zeros. */
    public static int zero(long address, long bytes, long stream) {
        try {
            return (int) FILL.invokeExact(address, (byte) 0, bytes, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuMemHostAlloc}, for all GPUs. */
    public static int allocatePinned(MemorySegment address, long bytes) {
        try {
            return (int) ALLOCATE_PINNED.invokeExact(address, bytes, PORTABLE_AND_MAPPED);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuMemFreeHost}. */
    public static int freePinned(long address) {
        try {
            return (int) FREE_PINNED.invokeExact(address);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuMemHostGetDevicePointer}. */
    public static int devicePointer(MemorySegment device, long host) {
        try {
            return (int) DEVICE_POINTER.invokeExact(device, host, 0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuPointerGetAttribute}. */
    public static int pointerAttribute(MemorySegment value, int attribute, long address) {
        try {
            return (int) POINTER_ATTRIBUTE.invokeExact(value, attribute, address);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}

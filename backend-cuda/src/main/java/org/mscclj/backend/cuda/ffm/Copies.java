package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import org.mscclj.gpu.driver.CopyCalls;
import org.mscclj.posix.ForeignCalls;

/** Calls for copies and fills in a stream. */
public final class Copies implements CopyCalls {
    private static final MethodHandle WITHIN_DEVICES = DriverLibrary.bind(
            "cuMemcpyDtoDAsync_v2", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle TO_HOST = DriverLibrary.bind(
            "cuMemcpyDtoHAsync_v2", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle FROM_HOST = DriverLibrary.bind(
            "cuMemcpyHtoDAsync_v2", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle FILL = DriverLibrary.bind(
            "cuMemsetD8Async", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_BYTE, JAVA_LONG, JAVA_LONG));

    /** The only instance: it has no state. */
    public static final CopyCalls INSTANCE = new Copies();

    private Copies() {}

    /** {@code cuMemcpyDtoDAsync}; addresses may also be of peers, or of pinned memory. */
    @Override
    public int withinDevices(long destination, long source, long bytes, long stream) {
        try {
            return (int) WITHIN_DEVICES.invokeExact(destination, source, bytes, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuMemcpyDtoHAsync}. To other memory than pinned memory it may block. */
    @Override
    public int toHost(long destination, long source, long bytes, long stream) {
        try {
            return (int) TO_HOST.invokeExact(destination, source, bytes, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuMemcpyHtoDAsync}. From other memory than pinned memory it may block. */
    @Override
    public int fromHost(long destination, long source, long bytes, long stream) {
        try {
            return (int) FROM_HOST.invokeExact(destination, source, bytes, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuMemsetD8Async} with zeros. */
    @Override
    public int zero(long address, long bytes, long stream) {
        try {
            return (int) FILL.invokeExact(address, (byte) 0, bytes, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}

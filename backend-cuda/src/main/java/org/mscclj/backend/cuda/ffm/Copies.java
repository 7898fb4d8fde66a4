package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import org.mscclj.gpu.driver.CopyCalls;
import org.mscclj.posix.ForeignCalls;
import org.mscclj.posix.IntCall;

/** Calls for copies and fills in a stream. */
public final class Copies implements CopyCalls {
    private static final IntCall WITHIN_DEVICES =
            DriverLibrary.call("cuMemcpyDtoDAsync_v2", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final IntCall TO_HOST =
            DriverLibrary.call("cuMemcpyDtoHAsync_v2", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final IntCall FROM_HOST =
            DriverLibrary.call("cuMemcpyHtoDAsync_v2", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle FILL = DriverLibrary.bind(
            "cuMemsetD8Async", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_BYTE, JAVA_LONG, JAVA_LONG));

    /** The only instance: it has no state. */
    public static final CopyCalls INSTANCE = new Copies();

    private Copies() {}

    /** {@code cuMemcpyDtoDAsync}; addresses may also be of peers, or of pinned memory. */
    @Override
    public int withinDevices(long destination, long source, long bytes, long stream) {
        return WITHIN_DEVICES.call(destination, source, bytes, stream);
    }

    /** {@code cuMemcpyDtoHAsync}. To other memory than pinned memory it may block. */
    @Override
    public int toHost(long destination, long source, long bytes, long stream) {
        return TO_HOST.call(destination, source, bytes, stream);
    }

    /** {@code cuMemcpyHtoDAsync}. From other memory than pinned memory it may block. */
    @Override
    public int fromHost(long destination, long source, long bytes, long stream) {
        return FROM_HOST.call(destination, source, bytes, stream);
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

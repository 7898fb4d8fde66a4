package org.mscclj.backend.rocm.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import org.mscclj.gpu.driver.CopyCalls;
import org.mscclj.posix.IntCall;

/** Calls for copies and fills in a stream. */
public final class HipCopies implements CopyCalls {
    /** {@code hipMemcpyHostToDevice}, {@code hipMemcpyDeviceToHost} and {@code hipMemcpyDefault}. */
    static final int HOST_TO_DEVICE = 1;

    static final int DEVICE_TO_HOST = 2;

    static final int BY_ADDRESSES = 4;

    private static final IntCall COPY =
            HipLibrary.call("hipMemcpyAsync", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final IntCall FILL = HipLibrary.call("hipMemsetAsync", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);

    /** The only instance: it has no state. */
    public static final CopyCalls INSTANCE = new HipCopies();

    private HipCopies() {}

    /** {@code hipMemcpyAsync}; HIP finds out from the addresses whose memory they are. */
    @Override
    public int withinDevices(long destination, long source, long bytes, long stream) {
        return COPY.call(destination, source, bytes, BY_ADDRESSES, stream);
    }

    /** {@code hipMemcpyAsync}. */
    @Override
    public int toHost(long destination, long source, long bytes, long stream) {
        return COPY.call(destination, source, bytes, DEVICE_TO_HOST, stream);
    }

    /** {@code hipMemcpyAsync}. */
    @Override
    public int fromHost(long destination, long source, long bytes, long stream) {
        return COPY.call(destination, source, bytes, HOST_TO_DEVICE, stream);
    }

    /** {@code hipMemsetAsync} with zeros. */
    @Override
    public int zero(long address, long bytes, long stream) {
        return FILL.call(address, 0, bytes, stream);
    }
}

package org.mscclj.backend.rocm.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.mscclj.posix.IntCall;

/** The start of HIP, its version, and the number of GPUs. */
public final class HipRuntime {
    private static final int MAJOR = 10_000_000;
    private static final int MINOR = 100_000;

    private static final IntCall INIT = HipLibrary.call("hipInit", JAVA_INT);
    private static final IntCall VERSION = HipLibrary.call("hipRuntimeGetVersion", ADDRESS);
    private static final IntCall DEVICE_COUNT = HipLibrary.call("hipGetDeviceCount", ADDRESS);

    private HipRuntime() {}

    /** Read once, at the first use. */
    private static final class Version {
        static final int NUMBER = Math.max(0, read(VERSION));
    }

    /** {@code hipInit}. */
    public static int initialize() {
        return INIT.call(0);
    }

    /**
     * {@code hipRuntimeGetVersion}: the major version, 6 for HIP 6.2. Structures and a few constants depend on it. 0 if
     * it is unknown.
     */
    public static int major() {
        return Version.NUMBER / MAJOR;
    }

    /** The minor version: 2 for HIP 6.2. */
    public static int minor() {
        return Version.NUMBER % MAJOR / MINOR;
    }

    /** The version with the number of the build, as {@code 5.2.21153}. */
    public static String version() {
        return major() + "." + minor() + "." + Version.NUMBER % MINOR;
    }

    /** {@code hipGetDeviceCount}; the negated result if it fails. */
    public static int deviceCount() {
        return read(DEVICE_COUNT);
    }

    private static int read(IntCall function) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(JAVA_INT);
            int result = HipErrors.forgotten(function.call(value));
            return result == 0 ? value.get(JAVA_INT, 0) : -result;
        }
    }
}

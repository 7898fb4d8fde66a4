package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.mscclj.gpu.driver.LaunchCalls;
import org.mscclj.posix.ForeignCalls;

/** Calls that launch kernels. They return the driver's result. */
public final class Launches implements LaunchCalls {
    private static final MethodHandle LAUNCH = DriverLibrary.bind(
            "cuLaunchKernel",
            FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT,
                    JAVA_LONG, ADDRESS, JAVA_LONG));
    private static final boolean CAN_LOAD = DriverLibrary.has("cuFuncLoad");
    private static final MethodHandle LOAD =
            DriverLibrary.bind("cuFuncLoad", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private static final boolean KNOWS_PARAMETERS = DriverLibrary.has("cuFuncGetParamInfo");
    private static final MethodHandle PARAMETER = DriverLibrary.bind(
            "cuFuncGetParamInfo", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS));

    /** Drivers that capture such launches have the second function. */
    private static final boolean HAS_EARLY =
            DriverLibrary.has("cuLaunchKernelEx") && DriverLibrary.has("cuStreamGetCaptureInfo_v3");

    private static final MethodHandle LAUNCH_EARLY = DriverLibrary.bind(
            "cuLaunchKernelEx", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG));

    /** {@code CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION}. */
    static final int EARLY = 6;

    /** The first architecture whose kernels can wait for earlier ones. */
    private static final int EARLY_ARCHITECTURE = 90;

    /** Offsets in {@code CUlaunchConfig}, of 56 bytes, and the {@code CUlaunchAttribute}, of 72, that follows it. */
    private static final long THREADS = 12;

    static final long STREAM = 32;
    private static final long ATTRIBUTES = 40;
    private static final long ATTRIBUTE_COUNT = 48;
    private static final long ATTRIBUTE = 56;
    private static final long VALUE = ATTRIBUTE + 8;
    private static final long EARLY_BYTES = ATTRIBUTE + 72;

    /** The only instance: it has no state. */
    public static final LaunchCalls INSTANCE = new Launches();

    private Launches() {}

    /** Whether the driver can report the parameters of a function. Drivers older than 12.4 cannot. */
    @Override
    public boolean knowsParameters() {
        return KNOWS_PARAMETERS;
    }

    /** {@code cuFuncGetParamInfo}: the offset of a parameter in the arguments, and its size, both in bytes. */
    @Override
    public int parameter(long function, long index, MemorySegment offset, MemorySegment size) {
        try {
            return (int) PARAMETER.invokeExact(function, index, offset, size);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuLaunchKernel} with one-dimensional sizes. Allocates nothing. */
    @Override
    public int launch(
            long function, int blocks, int threads, int dynamicSharedBytes, long stream, MemorySegment parameters) {
        try {
            return (int) LAUNCH.invokeExact(
                    function, blocks, 1, 1, threads, 1, 1, dynamicSharedBytes, stream, parameters, 0L);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code cuFuncLoad}: loads the function's code now, instead of at its first launch. Drivers older than 12.4 lack
     * this function, and always load the code at once.
     */
    @Override
    public int load(long function) {
        try {
            return CAN_LOAD ? (int) LOAD.invokeExact(function) : 0;
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Drivers older than 12.3 have no early launches in graphs, and GPUs older than {@code sm_90} have none. */
    @Override
    public long earlyBytes(String architecture) {
        int number = Integer.parseInt(architecture.substring(architecture.indexOf('_') + 1));
        return HAS_EARLY && number >= EARLY_ARCHITECTURE ? EARLY_BYTES : 0;
    }

    @Override
    public void describeEarly(MemorySegment description, int blocks, int threads) {
        for (long dimension = 0; dimension < 3; dimension++) {
            description.set(JAVA_INT, dimension * Integer.BYTES, dimension == 0 ? blocks : 1);
            description.set(JAVA_INT, THREADS + dimension * Integer.BYTES, dimension == 0 ? threads : 1);
        }
        description.set(JAVA_LONG, ATTRIBUTES, description.address() + ATTRIBUTE);
        description.set(JAVA_INT, ATTRIBUTE_COUNT, 1);
        description.set(JAVA_INT, ATTRIBUTE, EARLY);
        description.set(JAVA_INT, VALUE, 1);
    }

    /** {@code cuLaunchKernelEx}. Allocates nothing. */
    @Override
    public int launchEarly(long function, MemorySegment description, long stream, MemorySegment parameters) {
        description.set(JAVA_LONG, STREAM, stream);
        try {
            return (int) LAUNCH_EARLY.invokeExact(description, function, parameters, 0L);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}

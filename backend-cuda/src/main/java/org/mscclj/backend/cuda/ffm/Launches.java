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
}

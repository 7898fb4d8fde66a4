package org.mscclj.backend.rocm.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.mscclj.backend.rocm.code.Parameter;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.gpu.driver.LaunchCalls;
import org.mscclj.posix.ForeignCalls;
import org.mscclj.posix.IntCall;

/** Calls that launch kernels. */
public final class HipLaunches implements LaunchCalls {
    private static final MethodHandle LAUNCH = HipLibrary.bind(
            "hipModuleLaunchKernel",
            FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT,
                    JAVA_LONG, ADDRESS, JAVA_LONG));

    /** The counterpart of {@code cuFuncGetParamInfo}. No version of HIP 7.1 and before has it. */
    private static final boolean TELLS_PARAMETERS = HipLibrary.has("hipFuncGetParamInfo");

    private static final IntCall PARAMETER =
            HipLibrary.call("hipFuncGetParamInfo", JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS);

    /** The only instance: it has no state. */
    public static final LaunchCalls INSTANCE = new HipLaunches();

    private HipLaunches() {}

    /** HIP loads all code with its module. */
    @Override
    public int load(long function) {
        return DriverErrors.SUCCESS;
    }

    /** HIP or the code says it: see {@link HipCode}. */
    @Override
    public boolean knowsParameters() {
        return true;
    }

    @Override
    public int parameter(long function, long index, MemorySegment offset, MemorySegment size) {
        if (TELLS_PARAMETERS) {
            return HipErrors.forgotten(PARAMETER.call(function, index, offset, size));
        }
        List<Parameter> parameters = HipCode.parameters(function);
        if (index < 0 || index >= parameters.size()) {
            return HipErrors.INVALID_VALUE;
        }
        Parameter parameter = parameters.get((int) index);
        offset.set(JAVA_LONG, 0, parameter.offset());
        size.set(JAVA_LONG, 0, parameter.bytes());
        return DriverErrors.SUCCESS;
    }

    /** {@code hipModuleLaunchKernel} with one-dimensional sizes. */
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

    /** HIP has no early launches. */
    @Override
    public long earlyBytes(String architecture) {
        return 0;
    }

    @Override
    public void describeEarly(MemorySegment description, int blocks, int threads) {
        throw new IllegalStateException("HIP has no early launches");
    }

    @Override
    public int launchEarly(long function, MemorySegment description, long stream, MemorySegment parameters) {
        return HipErrors.NOT_SUPPORTED;
    }
}

package org.mscclj.backend.cuda.context;

import jcuda.driver.CUcontext;
import jcuda.driver.JCudaDriver;
import org.mscclj.backend.cuda.driver.DriverResult;
import org.mscclj.backend.cuda.driver.HardwareQueues;

/** The context that all software of this process shares on a GPU. */
final class PrimaryContext {
    /** Gives the pointer, which JCuda keeps to itself, for the calls that it does not make. */
    private static final class Handle extends CUcontext {
        long address() {
            return getNativePointer();
        }
    }

    private PrimaryContext() {}

    static long retain(int ordinal) {
        Handle context = new Handle();
        String function = "cuDevicePrimaryCtxRetain of GPU " + ordinal;
        int result = DriverResult.ofJcuda(
                () -> JCudaDriver.cuDevicePrimaryCtxRetain(context, DeviceProperties.device(ordinal)), function);
        if (result == DriverResult.OUT_OF_MEMORY) { // which the driver also says of queues
            throw DriverResult.failure(
                    result,
                    function
                            + ", which has no memory or no hardware queues left for one more process (this one"
                            + " asks for "
                            + HardwareQueues.count()
                            + " queues: processes that share a GPU may have fewer, such as 8, by "
                            + HardwareQueues.VARIABLE + "),");
        }
        DriverResult.check(result, function);
        return context.address();
    }

    static void release(int ordinal) {
        String function = "cuDevicePrimaryCtxRelease of GPU " + ordinal;
        DriverResult.checkFreed(
                DriverResult.ofJcuda(
                        () -> JCudaDriver.cuDevicePrimaryCtxRelease(DeviceProperties.device(ordinal)), function),
                function);
    }
}

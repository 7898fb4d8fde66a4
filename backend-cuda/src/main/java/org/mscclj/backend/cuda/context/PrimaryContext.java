package org.mscclj.backend.cuda.context;

import jcuda.driver.CUcontext;
import jcuda.driver.JCudaDriver;
import org.mscclj.backend.cuda.driver.DriverResult;

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
        DriverResult.checkJcuda(
                () -> JCudaDriver.cuDevicePrimaryCtxRetain(context, DeviceProperties.device(ordinal)),
                "cuDevicePrimaryCtxRetain of GPU " + ordinal);
        return context.address();
    }

    static void release(int ordinal) {
        DriverResult.checkJcuda(
                () -> JCudaDriver.cuDevicePrimaryCtxRelease(DeviceProperties.device(ordinal)),
                "cuDevicePrimaryCtxRelease of GPU " + ordinal);
    }
}

package org.mscclj.backend.cuda;

import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.gpu.GpuBackendProvider;

/** Provides the CUDA backend. It is available where a driver, a GPU and NVRTC are present. */
public final class CudaBackendProvider extends GpuBackendProvider {
    /** Called by the service loader. */
    public CudaBackendProvider() {
        super(CudaDriver.INSTANCE);
    }
}

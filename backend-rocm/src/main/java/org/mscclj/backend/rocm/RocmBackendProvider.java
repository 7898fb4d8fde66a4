package org.mscclj.backend.rocm;

import org.mscclj.backend.rocm.driver.RocmDriver;
import org.mscclj.gpu.GpuBackendProvider;

/** Provides the ROCm backend. It is available where a driver, a GPU and hipRTC are present. */
public final class RocmBackendProvider extends GpuBackendProvider {
    /** Called by the service loader. */
    public RocmBackendProvider() {
        super(RocmDriver.INSTANCE);
    }
}

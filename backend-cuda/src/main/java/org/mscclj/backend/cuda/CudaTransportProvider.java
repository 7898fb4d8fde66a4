package org.mscclj.backend.cuda;

import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.gpu.GpuTransportProvider;

/** Provides the transport {@code cuda}, which connects ranks of the CUDA backend whose memory can be mapped. */
public final class CudaTransportProvider extends GpuTransportProvider {
    /** Called by the service loader. */
    public CudaTransportProvider() {
        super(CudaDriver.INSTANCE);
    }
}

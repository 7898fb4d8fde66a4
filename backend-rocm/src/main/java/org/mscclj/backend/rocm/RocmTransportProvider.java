package org.mscclj.backend.rocm;

import org.mscclj.backend.rocm.driver.RocmDriver;
import org.mscclj.gpu.GpuTransportProvider;

/** Provides the transport {@code rocm}, which connects ranks of the ROCm backend whose memory can be mapped. */
public final class RocmTransportProvider extends GpuTransportProvider {
    /** Called by the service loader. */
    public RocmTransportProvider() {
        super(RocmDriver.INSTANCE);
    }
}

package org.mscclj.backend.cuda;

import org.mscclj.backend.cuda.driver.DriverSession;
import org.mscclj.gpu.transport.CopyEngineTransport;
import org.mscclj.spi.Availability;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportProvider;

/** Provides the transport {@code cuda}, which connects ranks of the CUDA backend whose memory can be mapped. */
public final class CudaTransportProvider implements TransportProvider {
    private static final String NAME = "cuda";

    /** Higher than that of transports that leave the host. */
    private static final int PRIORITY = 100;

    /** Called by the service loader. */
    public CudaTransportProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int priority() {
        return PRIORITY;
    }

    @Override
    public String description() {
        return "copy engines, between GPUs of one host";
    }

    @Override
    public Availability probe() {
        return DriverSession.unavailable().map(Availability::unavailable).orElseGet(Availability::available);
    }

    @Override
    public boolean withinNode() {
        return true;
    }

    @Override
    public Transport open(BackendDevice device) {
        return CopyEngineTransport.open(NAME, device);
    }
}

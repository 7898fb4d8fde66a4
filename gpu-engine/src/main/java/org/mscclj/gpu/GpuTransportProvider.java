package org.mscclj.gpu;

import org.mscclj.gpu.driver.GpuDriver;
import org.mscclj.gpu.transport.CopyEngineTransport;
import org.mscclj.spi.Availability;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportProvider;

/**
 * Provides the transport that connects ranks on GPUs of a vendor whose memory can be mapped. It has the name of the
 * backend.
 */
public abstract class GpuTransportProvider implements TransportProvider {
    /** Higher than that of transports that leave the host. */
    private static final int PRIORITY = 100;

    private final GpuDriver driver;

    /** Creates a provider. Does not use the driver. */
    protected GpuTransportProvider(GpuDriver driver) {
        this.driver = driver;
    }

    @Override
    public final String name() {
        return driver.backend();
    }

    @Override
    public final int priority() {
        return PRIORITY;
    }

    @Override
    public final String description() {
        return "copy engines, between GPUs of one host";
    }

    @Override
    public final Availability probe() {
        return driver.unavailable().map(Availability::unavailable).orElseGet(Availability::available);
    }

    @Override
    public final boolean withinNode() {
        return true;
    }

    @Override
    public final Transport open(BackendDevice device) {
        return CopyEngineTransport.open(name(), device);
    }
}

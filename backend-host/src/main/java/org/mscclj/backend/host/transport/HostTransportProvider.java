package org.mscclj.backend.host.transport;

import org.mscclj.api.error.UnsupportedException;
import org.mscclj.posix.NativeAccess;
import org.mscclj.spi.Availability;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportProvider;
import org.mscclj.spi.transport.mapped.MappedTransport;

/** Describes the transport {@code host}, which reaches ranks of the host backend whose memory can be mapped. */
public final class HostTransportProvider implements TransportProvider {
    private static final String NAME = "host";

    /** Higher than the priority of transports that leave the host. */
    private static final int PRIORITY = 100;

    /** For the service loader. */
    public HostTransportProvider() {}

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
        return "copies between ranks of one host";
    }

    @Override
    public Availability probe() {
        return NativeAccess.refusal().map(Availability::unavailable).orElseGet(Availability::available);
    }

    @Override
    public boolean withinNode() {
        return true;
    }

    @Override
    public Transport open(BackendDevice device) {
        if (!device.backend().equals(NAME)) {
            throw new UnsupportedException("transport host moves memory of backend host, not of backend "
                    + device.backend() + "; use that backend's transport");
        }
        return new MappedTransport(device, () -> new HostConnection(device));
    }
}

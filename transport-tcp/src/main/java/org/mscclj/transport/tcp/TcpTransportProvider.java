package org.mscclj.transport.tcp;

import java.util.Map;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.Availability;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportProvider;
import org.mscclj.transport.tcp.settings.TcpSettings;

/** Describes the transport {@code tcp}, which reaches every rank that has it too. */
public final class TcpTransportProvider implements TransportProvider {
    /** Below every other transport: it is used when no faster one reaches a peer. */
    private static final int PRIORITY = -100;

    /** Called by the service loader. */
    public TcpTransportProvider() {}

    @Override
    public String name() {
        return "tcp";
    }

    @Override
    public int priority() {
        return PRIORITY;
    }

    @Override
    public String description() {
        return "TCP connections to ranks anywhere";
    }

    @Override
    public Availability probe() {
        try {
            TcpSettings settings = TcpSettings.of(System.getenv());
            settings.localAddress();
            return Availability.available();
        } catch (InvalidArgumentException e) {
            return Availability.unavailable(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void requireValid(Map<String, String> environment) {
        TcpSettings.requireValid(environment);
    }

    @Override
    public Transport open(BackendDevice device) {
        return new TcpTransport(device, TcpSettings.of(System.getenv()));
    }
}

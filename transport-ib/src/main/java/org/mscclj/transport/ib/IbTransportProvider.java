package org.mscclj.transport.ib;

import java.util.Map;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.spi.Availability;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.protection.WireProtection;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportProvider;
import org.mscclj.transport.ib.ffm.VerbsLibrary;
import org.mscclj.transport.ib.port.AdapterPorts;
import org.mscclj.transport.ib.settings.IbSettings;

/** Describes the transport {@code ib}: RDMA over InfiniBand and RoCE. */
public final class IbTransportProvider implements TransportProvider {
    /** Above TCP, below transports within a node. */
    private static final int PRIORITY = -50;

    /** Called by the service loader. */
    public IbTransportProvider() {}

    @Override
    public String name() {
        return "ib";
    }

    @Override
    public int priority() {
        return PRIORITY;
    }

    @Override
    public String description() {
        return "RDMA over InfiniBand or RoCE to ranks anywhere";
    }

    /** Whether the library, and an adapter with an active port, can be used. */
    @Override
    public Availability probe() {
        IbSettings settings;
        try {
            Map<String, String> environment = System.getenv();
            settings = IbSettings.of(environment);
            if (mustEncrypt(environment)) {
                return Availability.unavailable("adapters do not encrypt data, which the environment asks for; set "
                        + WireProtection.VARIABLE + " to none if no other party can reach the network");
            }
        } catch (InvalidArgumentException e) {
            return Availability.unavailable(String.valueOf(e.getMessage()));
        }
        VerbsLibrary library = VerbsLibrary.installed();
        if (library.problem().isPresent()) {
            return Availability.unavailable(library.problem().get());
        }
        try {
            AdapterPorts ports = AdapterPorts.find(library, settings);
            return ports.usable().isEmpty()
                    ? Availability.unavailable(
                            ports.refused().isEmpty()
                                    ? "this machine has no InfiniBand or RoCE adapter (ibv_devices lists them); in"
                                            + " containers, pass /dev/infiniband"
                                    : String.join("; ", ports.refused()))
                    : Availability.available();
        } catch (MsccljException e) {
            return Availability.unavailable(String.valueOf(e.getMessage()));
        }
    }

    /** Whether the environment asks that data between hosts is encrypted; by default it does not. */
    static boolean mustEncrypt(Map<String, String> environment) {
        return switch (WireProtection.of(environment)) {
            case ALL -> true;
            case NONE -> false;
            case HOSTS -> !environment.getOrDefault(WireProtection.VARIABLE, "").isBlank();
        };
    }

    @Override
    public void requireValid(Map<String, String> environment) {
        IbSettings.of(environment);
    }

    @Override
    public Transport open(BackendDevice device) {
        return new IbTransport(device, VerbsLibrary.installed(), IbSettings.of(System.getenv()));
    }
}

package org.example.transport.queue;

import org.mscclj.spi.Availability;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportProvider;

/** What the service loader finds: cheap, stateless, with a public constructor. */
public final class QueueTransportProvider implements TransportProvider {
    @Override
    public String name() {
        return "queue";
    }

    @Override
    public int priority() {
        return 200; // before the host backend's own
    }

    @Override
    public String description() {
        return "an example: queues between ranks of one process";
    }

    @Override
    public Availability probe() {
        return Availability.available();
    }

    @Override
    public Transport open(BackendDevice device) {
        return new QueueTransport(device);
    }
}

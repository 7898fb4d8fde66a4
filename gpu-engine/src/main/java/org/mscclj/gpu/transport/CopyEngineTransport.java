package org.mscclj.gpu.transport;

import org.mscclj.api.error.UnsupportedException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.mapped.MappedTransport;

/** The transport that moves memory of GPUs by their copy engines. */
public final class CopyEngineTransport {
    private CopyEngineTransport() {}

    /**
     * Opens the transport for a device.
     *
     * @param name of the transport, and of the backend whose memory it moves
     * @throws UnsupportedException if the device belongs to another backend
     */
    public static Transport open(String name, BackendDevice device) {
        if (device instanceof CopyingDevice copying && device.backend().equals(name)) {
            return new MappedTransport(copying, () -> new CopyEngineConnection(copying));
        }
        throw new UnsupportedException("transport " + name + " moves memory of backend " + name + ", not of backend "
                + device.backend() + "; use that backend's transport");
    }
}

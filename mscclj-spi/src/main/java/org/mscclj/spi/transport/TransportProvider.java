package org.mscclj.spi.transport;

import org.mscclj.spi.Provider;
import org.mscclj.spi.device.BackendDevice;

/** Describes a transport. */
public interface TransportProvider extends Provider {
    /** Opens the transport for the memory of a device. */
    Transport open(BackendDevice device);
}

package org.mscclj.spi.transport;

import org.mscclj.spi.Provider;
import org.mscclj.spi.device.BackendDevice;

/** Describes a transport. */
public interface TransportProvider extends Provider {
    /**
     * Whether the transport reaches only ranks of its node, because it needs memory that both sides map. It is then not
     * chosen between nodes, whatever {@link Transport#reaches} returns.
     */
    default boolean withinNode() {
        return false;
    }

    /**
     * Opens the transport for the memory of a device.
     *
     * <p>A transport between nodes need not move memory that the host cannot access. If it refuses a device for that
     * reason, the runtime opens it again, for a device that stands for this one and whose memory is pinned memory of
     * the host, and copies through that memory.
     *
     * @throws org.mscclj.api.error.UnsupportedException if it cannot move this device's memory; the message names the
     *     memory that it can move
     */
    Transport open(BackendDevice device);
}

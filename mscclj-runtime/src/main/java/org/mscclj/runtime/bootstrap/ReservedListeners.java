package org.mscclj.runtime.bootstrap;

import java.net.ServerSocket;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.mscclj.api.UniqueId;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.runtime.socket.Listeners;

/** Ports that were bound when a unique id was made, and wait for rank 0 of this process. */
public final class ReservedListeners {
    private static final ConcurrentMap<RendezvousAddress, ServerSocket> RESERVED = new ConcurrentHashMap<>();

    private ReservedListeners() {}

    /** See {@link UniqueId#create()}. */
    public static UniqueId createUniqueId() {
        ServerSocket listener = Listeners.bind(HostAddresses.ofThisHost(), PortRange.ANY);
        int port = listener.getLocalPort();
        RendezvousAddress address =
                RendezvousAddress.of(listener.getInetAddress().getHostAddress(), new PortRange(port, port));
        RESERVED.put(address, listener);
        return UniqueId.create(address);
    }

    /** The listener that was reserved for an address; from now on it is the caller's. */
    static Optional<ServerSocket> take(RendezvousAddress address) {
        return Optional.ofNullable(RESERVED.remove(address));
    }
}

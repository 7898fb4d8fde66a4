package org.mscclj.runtime.bootstrap;

import java.net.ServerSocket;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.mscclj.api.UniqueId;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.runtime.socket.Listeners;

/** Listeners that were bound when a unique id was made, and wait for rank 0 of this process. */
public final class ReservedListeners {
    private static final ConcurrentMap<RendezvousAddress, ServerSocket> RESERVED = new ConcurrentHashMap<>();

    private ReservedListeners() {}

    /** Creates a unique id. See {@link UniqueId#create()}. */
    public static UniqueId createUniqueId() {
        ServerSocket listener = Listeners.bind(HostAddresses.ofThisHost(), PortRange.ANY);
        int port = listener.getLocalPort();
        RendezvousAddress address =
                RendezvousAddress.of(listener.getInetAddress().getHostAddress(), new PortRange(port, port));
        RESERVED.put(address, listener);
        return UniqueId.create(address);
    }

    /** Returns the listener that was reserved for an address. The caller owns it from then on. */
    static Optional<ServerSocket> take(RendezvousAddress address) {
        return Optional.ofNullable(RESERVED.remove(address));
    }
}

package org.mscclj.runtime.channel;

import org.jspecify.annotations.Nullable;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.Connection;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.transport.TransportConnection;

/** A connection to a peer: by mapped memory, which needs no resource, or by a transport. */
final class PeerConnection implements Connection, Part {
    private static final String MAPPED = "mapped";

    private final int peer;
    private final String transport;
    private final @Nullable TransportConnection transportConnection;
    private final Users users;

    private PeerConnection(int peer, String transport, @Nullable TransportConnection transportConnection) {
        this.peer = peer;
        this.transport = transport;
        this.transportConnection = transportConnection;
        this.users = new Users("the connection to rank " + peer, "semaphores");
    }

    static PeerConnection mapped(int peer) {
        return new PeerConnection(peer, MAPPED, null);
    }

    static PeerConnection over(int peer, String transport, TransportConnection connection) {
        return new PeerConnection(peer, transport, connection);
    }

    ChannelKind kind() {
        return transportConnection == null ? ChannelKind.MEMORY : ChannelKind.PORT;
    }

    TransportConnection transportConnection() {
        if (transportConnection == null) {
            throw InvalidArgumentException.of("connection", "mapped memory", "a connection of kind PORT");
        }
        return transportConnection;
    }

    Users users() {
        return users;
    }

    @Override
    public int peer() {
        return peer;
    }

    @Override
    public String transport() {
        return transport;
    }

    @Override
    public boolean isOpen() {
        return users.isOpen();
    }

    @Override
    public synchronized void close() {
        if (users.close() && transportConnection != null) {
            transportConnection.close();
        }
    }
}

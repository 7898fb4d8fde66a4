package org.mscclj.transport.tcp.greeting;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.mscclj.transport.tcp.channel.KeyReadiness;
import org.mscclj.transport.tcp.channel.LaneChannel;
import org.mscclj.transport.tcp.loop.Sockets;

/**
 * The greeting of a socket that this side connects to a peer process, on behalf of the first connection that needs it.
 */
final class LinkOutbound extends OutboundGreeting {
    /** Receives the result. */
    interface Outcome {
        /** Called when the socket is connected and the other side has proved that it knows the token. */
        void connected(SocketChannel socket, LaneChannel channel, SelectionKey key) throws IOException;

        /** Called when that has failed. The connection that needed the socket has failed, too. */
        void notConnected();
    }

    private final SocketChannel socket;
    private final SelectionKey key;
    private final Outcome outcome;
    private boolean greeted;

    private LinkOutbound(
            ProcessSockets sockets,
            SocketChannel socket,
            LocalEndpoint endpoint,
            EndpointDescription peer,
            long nanos,
            Outcome outcome)
            throws IOException {
        super(sockets, endpoint, peer, nanos);
        this.socket = socket;
        this.outcome = outcome;
        this.key = sockets.loop().register(socket, SelectionKey.OP_CONNECT, this);
        begin();
    }

    /** Starts connecting, within a time limit. A failure fails the connection. */
    static void start(
            ProcessSockets sockets, LocalEndpoint endpoint, EndpointDescription peer, long nanos, Outcome outcome) {
        SocketChannel socket = null;
        LinkOutbound greeting = null;
        try {
            socket = SocketChannel.open();
            Sockets.configure(socket, sockets.settings().keepAlive());
            greeting = new LinkOutbound(sockets, socket, endpoint, peer, nanos, outcome);
            if (socket.connect(peer.address())) {
                greeting.ready();
            }
        } catch (IOException | RuntimeException e) { // the latter if this machine does not support the kind of address
            if (greeting != null) {
                greeting.failed(e);
                return;
            }
            if (socket != null) {
                Sockets.closeQuietly(socket);
            }
            endpoint.fail("cannot connect: " + e.getMessage(), e);
            outcome.notConnected();
        }
    }

    @Override
    public void ready() throws IOException {
        if (!greeted) {
            if (!socket.isConnected() && !socket.finishConnect()) {
                return;
            }
            connected(sockets().channel(socket, true), new KeyReadiness(key));
            greet(Hello.forLink(peer().id()));
            greeted = true;
        }
        super.ready();
    }

    @Override
    void proved(Hello said, byte[] theirs) {
        // each stream has its own keys
    }

    @Override
    void accepted() throws IOException {
        outcome.connected(socket, channel(), key);
    }

    @Override
    void close() {
        Sockets.closeQuietly(socket);
        outcome.notConnected();
    }
}

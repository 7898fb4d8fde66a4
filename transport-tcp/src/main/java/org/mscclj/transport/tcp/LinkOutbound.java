package org.mscclj.transport.tcp;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** This side connects a socket to a peer process, for one connection first. */
final class LinkOutbound extends OutboundGreeting {
    /** What becomes of it. */
    interface Outcome {
        /** The socket is connected, and the other side knows the token. */
        void connected(SocketChannel socket, LaneChannel channel, SelectionKey key) throws IOException;

        /** It is not, and the connection for which it was to be has failed. */
        void notConnected();
    }

    private final SocketChannel socket;
    private final SelectionKey key;
    private final Outcome outcome;
    private boolean greeted;

    private LinkOutbound(
            EventLoop loop,
            SocketChannel socket,
            TcpConnection connection,
            EndpointDescription peer,
            long nanos,
            Outcome outcome)
            throws IOException {
        super(loop, connection, peer, nanos);
        this.socket = socket;
        this.outcome = outcome;
        this.key = loop.register(socket, SelectionKey.OP_CONNECT, this);
        begin();
    }

    /** Starts connecting, which may take so long. What goes wrong fails the connection. */
    static void start(EventLoop loop, TcpConnection connection, EndpointDescription peer, long nanos, Outcome outcome) {
        SocketChannel socket = null;
        LinkOutbound greeting = null;
        try {
            socket = SocketChannel.open();
            Sockets.configure(socket);
            greeting = new LinkOutbound(loop, socket, connection, peer, nanos, outcome);
            if (socket.connect(peer.address())) {
                greeting.ready();
            }
        } catch (IOException
                | RuntimeException e) { // the latter for an address of a kind that this machine does not have
            if (greeting != null) {
                greeting.failed(e);
                return;
            }
            if (socket != null) {
                Sockets.closeQuietly(socket);
            }
            connection.fail("cannot connect: " + e.getMessage(), e);
            outcome.notConnected();
        }
    }

    @Override
    public void ready() throws IOException {
        if (!greeted) {
            if (!socket.isConnected() && !socket.finishConnect()) {
                return;
            }
            connected(loop().channel(socket, true), new KeyReadiness(key));
            greet(Hello.forLink(peer().id()));
            greeted = true;
        }
        super.ready();
    }

    @Override
    void proved(Hello said, byte[] theirs) {
        // each stream is sealed by keys of its own
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

package org.mscclj.transport.tcp;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** This side connects a lane to a peer. */
final class OutboundGreeting extends Greeting {
    private final EventLoop loop;
    private final TcpConnection connection;
    private final EndpointDescription peer;
    private final int lane;
    private @Nullable Hello hello;

    private OutboundGreeting(
            EventLoop loop,
            SocketChannel socket,
            TcpConnection connection,
            EndpointDescription peer,
            int lane,
            long nanos) {
        super(loop, socket, nanos);
        this.loop = loop;
        this.connection = connection;
        this.peer = peer;
        this.lane = lane;
    }

    /** Starts connecting a lane, which may take so long; by the loop's thread. What goes wrong fails the connection. */
    static void start(EventLoop loop, TcpConnection connection, EndpointDescription peer, int lane, long nanos) {
        SocketChannel socket = null;
        try {
            socket = SocketChannel.open();
            Sockets.configure(socket);
            OutboundGreeting greeting = new OutboundGreeting(loop, socket, connection, peer, lane, nanos);
            greeting.begin(SelectionKey.OP_CONNECT);
            if (socket.connect(peer.address())) {
                greeting.ready();
            }
        } catch (IOException
                | RuntimeException e) { // the latter for an address of a kind that this machine does not have
            if (socket != null) {
                Sockets.closeQuietly(socket);
            }
            connection.fail("cannot connect: " + e.getMessage(), e);
        }
    }

    @Override
    public void ready() throws IOException {
        if (hello == null) {
            if (!socket().isConnected() && !socket().finishConnect()) {
                return;
            }
            connected(loop.channel(socket(), true));
            Hello own = new Hello(peer.id(), lane, peer.lanes(), wantsSeal(), Hello.random(Hello.NONCE));
            hello = own;
            send(own.encode());
            expect(Hello.CHALLENGE);
        }
        super.ready();
    }

    @Override
    void received(ByteBuffer message) throws IOException {
        Hello said = hello;
        if (said == null || message.getLong() != Hello.MAGIC) {
            throw new IOException("it does not speak this version of the protocol");
        }
        if (message.hasRemaining()) {
            byte[] nonce = new byte[Hello.NONCE];
            byte[] proof = new byte[Hello.PROOF];
            message.get(nonce).get(proof);
            if (!said.isProof(proof, Hello.Side.ACCEPTING, peer.token(), nonce, channel())) {
                throw new IOException("it does not know its own token");
            }
            if (said.sealed()) {
                seal(
                        said.key(Hello.Side.CONNECTING, peer.token(), nonce),
                        said.key(Hello.Side.ACCEPTING, peer.token(), nonce));
            }
            send(ByteBuffer.wrap(said.proof(Hello.Side.CONNECTING, peer.token(), nonce, channel())));
            expect(Long.BYTES);
        } else {
            finish(connection, said.lane());
        }
    }

    @Override
    public void expired() {
        super.give("the peer does not answer");
        connection.notConnected();
    }

    @Override
    void ended() {
        // nobody counts these
    }

    @Override
    void give(String reason) {
        super.give(reason);
        connection.fail(
                "cannot connect: " + reason + "; check that the address can be reached, and " + TcpSettings.INTERFACE
                        + " and " + TcpSettings.PORTS,
                new ConnectException(reason));
    }
}

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
    private final Hello hello;
    private byte @Nullable [] answer;

    private OutboundGreeting(
            EventLoop loop, SocketChannel socket, TcpConnection connection, EndpointDescription peer, int lane) {
        super(loop, socket, loop.settings().timeout().toNanos());
        this.loop = loop;
        this.connection = connection;
        this.peer = peer;
        this.hello = new Hello(peer.id(), lane, peer.lanes(), Hello.random(Hello.NONCE));
    }

    /** Starts connecting a lane; by the loop's thread. What goes wrong fails the connection. */
    static void start(EventLoop loop, TcpConnection connection, EndpointDescription peer, int lane) {
        SocketChannel socket = null;
        try {
            socket = SocketChannel.open();
            Sockets.configure(socket);
            OutboundGreeting greeting = new OutboundGreeting(loop, socket, connection, peer, lane);
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
        if (answer == null) {
            if (!socket().isConnected() && !socket().finishConnect()) {
                return;
            }
            connected(loop.channel(socket(), true));
            answer = new byte[0];
            send(hello.encode());
            expect(Hello.CHALLENGE);
        }
        super.ready();
    }

    @Override
    void received(ByteBuffer message) throws IOException {
        if (message.getLong() != Hello.MAGIC) {
            throw new IOException("it does not speak this version of the protocol");
        }
        if (message.hasRemaining()) {
            byte[] nonce = new byte[Hello.NONCE];
            byte[] proof = new byte[Hello.PROOF];
            message.get(nonce).get(proof);
            if (!hello.isProof(proof, Hello.Side.ACCEPTING, peer.token(), nonce)) {
                throw new IOException("it does not know its own token");
            }
            send(ByteBuffer.wrap(hello.proof(Hello.Side.CONNECTING, peer.token(), nonce)));
            expect(Long.BYTES);
        } else {
            finish(connection, hello.lane());
        }
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

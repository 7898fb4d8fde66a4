package org.mscclj.transport.tcp;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The greeting of the connecting side, which knows the token of the peer's endpoint. If it fails, the connection fails.
 */
abstract class OutboundGreeting extends Greeting {
    private final TcpConnection connection;
    private final EndpointDescription peer;
    private @Nullable Hello hello;

    OutboundGreeting(EventLoop loop, TcpConnection connection, EndpointDescription peer, long nanos) {
        super(loop, nanos);
        this.connection = connection;
        this.peer = peer;
    }

    /** Sends the first message. */
    final void greet(Hello own) {
        hello = own;
        send(own.encode());
        expect(Hello.CHALLENGE);
    }

    @Override
    final void received(ByteBuffer message) throws IOException {
        Hello said = hello;
        if (said == null || message.getLong() != Hello.MAGIC) {
            throw new IOException("it does not speak this version of the protocol");
        }
        if (message.hasRemaining()) {
            byte[] nonce = new byte[Hello.NONCE];
            byte[] proof = new byte[Hello.PROOF];
            message.get(nonce).get(proof);
            byte[] below = channel().channel();
            if (!said.isProof(proof, Hello.Side.ACCEPTING, peer.token(), nonce, below)) {
                throw new IOException("it does not know its own token");
            }
            proved(said, nonce);
            send(ByteBuffer.wrap(said.proof(Hello.Side.CONNECTING, peer.token(), nonce, below)));
            expect(Long.BYTES);
        } else {
            finish();
            accepted();
        }
    }

    /** Called when the other side has proved that it knows the token. */
    abstract void proved(Hello said, byte[] theirs);

    /** Called when the other side has accepted. */
    abstract void accepted() throws IOException;

    @Override
    public final void expired() {
        super.give("the peer does not answer");
        connection.notConnected();
    }

    @Override
    final void ended() {
        // the peer counts these bytes
    }

    @Override
    final void give(String reason) {
        super.give(reason);
        connection.fail(
                "cannot connect: " + reason + "; check that the address can be reached, and " + TcpSettings.INTERFACE
                        + " and " + TcpSettings.PORTS,
                new ConnectException(reason));
    }

    final TcpConnection connection() {
        return connection;
    }

    final EndpointDescription peer() {
        return peer;
    }
}

package org.mscclj.transport.tcp.greeting;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.mscclj.transport.tcp.settings.TcpSettings;

/**
 * The greeting of the connecting side, which knows the token of the peer's endpoint. If it fails, the connection fails.
 */
abstract class OutboundGreeting extends Greeting {
    private final LocalEndpoint endpoint;
    private final EndpointDescription peer;
    private @Nullable Hello hello;

    OutboundGreeting(ProcessSockets sockets, LocalEndpoint endpoint, EndpointDescription peer, long nanos) {
        super(sockets, nanos);
        this.endpoint = endpoint;
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
        endpoint.notConnected();
    }

    @Override
    final void ended() {
        // the peer counts these bytes
    }

    @Override
    final void give(String reason) {
        super.give(reason);
        endpoint.fail(
                "cannot connect: " + reason + "; check that the address can be reached, and " + TcpSettings.INTERFACE
                        + " and " + TcpSettings.PORTS,
                new ConnectException(reason));
    }

    final LocalEndpoint endpoint() {
        return endpoint;
    }

    final EndpointDescription peer() {
        return peer;
    }
}

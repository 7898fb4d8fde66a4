package org.mscclj.transport.tcp.greeting;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The greeting of the accepting side. It sends its proof first, and accepts a peer that then proves that it has
 * received the endpoint's description.
 */
abstract class InboundGreeting extends Greeting {
    private final byte[] nonce = Hello.random(Hello.NONCE);
    private @Nullable Hello hello;

    InboundGreeting(ProcessSockets sockets) {
        super(sockets, sockets.strangerTimeout().toNanos());
        expect(Hello.BYTES);
    }

    @Override
    final void received(ByteBuffer message) throws IOException {
        if (hello == null) {
            Hello given = Hello.decode(message).orElseThrow(() -> new IOException("no greeting of this version"));
            byte[] proof = given.proof(
                    Hello.Side.ACCEPTING,
                    endpoint(given).token(),
                    nonce,
                    channel().channel());
            send(ByteBuffer.allocate(Hello.CHALLENGE)
                    .putLong(Hello.MAGIC)
                    .put(nonce)
                    .put(proof)
                    .flip());
            hello = given;
            expect(Hello.PROOF);
            return;
        }
        LocalEndpoint endpoint = endpoint(hello);
        byte[] proof = new byte[Hello.PROOF];
        message.get(proof);
        if (!hello.isProof(
                proof, Hello.Side.CONNECTING, endpoint.token(), nonce, channel().channel())) {
            throw new IOException("wrong proof");
        }
        accept(endpoint, hello, nonce);
    }

    /** Adds this side's last message. */
    final void finishAccepting() throws IOException {
        send(ByteBuffer.allocate(Long.BYTES).putLong(Hello.MAGIC).flip());
        finish();
    }

    private LocalEndpoint endpoint(Hello given) throws IOException {
        LocalEndpoint endpoint = sockets().endpoint(given.endpoint());
        if (endpoint == null || !awaits(endpoint, given)) {
            throw new IOException("no such endpoint is expected");
        }
        return endpoint;
    }

    /** Whether the greeting is for an endpoint that expects it. */
    abstract boolean awaits(LocalEndpoint endpoint, Hello given);

    /** Called when the other side has proved that it knows the token. */
    abstract void accept(LocalEndpoint endpoint, Hello said, byte[] own) throws IOException;
}

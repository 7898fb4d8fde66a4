package org.mscclj.transport.tcp;

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

    InboundGreeting(EventLoop loop) {
        super(loop, loop.settings().timeout().toNanos() / 2);
        expect(Hello.BYTES);
    }

    @Override
    final void received(ByteBuffer message) throws IOException {
        if (hello == null) {
            Hello given = Hello.decode(message).orElseThrow(() -> new IOException("no greeting of this version"));
            byte[] proof = given.proof(
                    Hello.Side.ACCEPTING,
                    connection(given).token(),
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
        TcpConnection connection = connection(hello);
        byte[] proof = new byte[Hello.PROOF];
        message.get(proof);
        if (!hello.isProof(
                proof,
                Hello.Side.CONNECTING,
                connection.token(),
                nonce,
                channel().channel())) {
            throw new IOException("wrong proof");
        }
        accept(connection, hello, nonce);
    }

    /** Adds this side's last message. */
    final void finishAccepting() throws IOException {
        send(ByteBuffer.allocate(Long.BYTES).putLong(Hello.MAGIC).flip());
        finish();
    }

    private TcpConnection connection(Hello given) throws IOException {
        TcpConnection connection = loop().endpoint(given.endpoint());
        if (connection == null || !awaits(connection, given)) {
            throw new IOException("no such endpoint is expected");
        }
        return connection;
    }

    /** Whether the greeting is for an endpoint that expects it. */
    abstract boolean awaits(TcpConnection connection, Hello given);

    /** Called when the other side has proved that it knows the token. */
    abstract void accept(TcpConnection connection, Hello said, byte[] own) throws IOException;
}

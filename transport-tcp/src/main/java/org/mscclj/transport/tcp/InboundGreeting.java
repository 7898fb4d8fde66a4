package org.mscclj.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What the side that was connected to says. It proves first, and accepts a peer that then proves to have been told of
 * an end.
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

    /** Takes the last message that this side sends. */
    final void finishAccepting() throws IOException {
        send(ByteBuffer.allocate(Long.BYTES).putLong(Hello.MAGIC).flip());
        finish();
    }

    private TcpConnection connection(Hello given) throws IOException {
        TcpConnection connection = loop().endpoint(given.endpoint());
        if (connection == null || !awaits(connection, given)) {
            throw new IOException("no such end is awaited");
        }
        return connection;
    }

    /** Whether the greeting is for something that is expected. */
    abstract boolean awaits(TcpConnection connection, Hello given);

    /** The other side knows the token. */
    abstract void accept(TcpConnection connection, Hello said, byte[] own) throws IOException;
}

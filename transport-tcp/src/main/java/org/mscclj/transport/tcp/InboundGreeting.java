package org.mscclj.transport.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Somebody has connected to this process: a peer, or a stranger, who is dropped without a word. */
final class InboundGreeting extends Greeting {
    private final EventLoop loop;
    private final Consumer<InboundGreeting> onEnd;
    private final byte[] nonce = Hello.random(Hello.NONCE);
    private @Nullable Hello hello;

    InboundGreeting(EventLoop loop, SocketChannel socket, Consumer<InboundGreeting> onEnd) throws IOException {
        super(loop, socket, loop.settings().timeout().toNanos() / 2);
        this.loop = loop;
        this.onEnd = onEnd;
        connected(loop.channel(socket, false));
        expect(Hello.BYTES);
        begin(SelectionKey.OP_READ);
    }

    /** Where it comes from; empty if it has gone. */
    Optional<InetAddress> source() {
        return Optional.ofNullable(socket().socket().getInetAddress());
    }

    @Override
    void received(ByteBuffer message) throws IOException {
        if (hello == null) {
            Hello given = Hello.decode(message).orElseThrow(() -> new IOException("no greeting of this version"));
            byte[] proof = given.proof(Hello.Side.ACCEPTING, connection(given).token(), nonce, channel());
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
        if (!hello.isProof(proof, Hello.Side.CONNECTING, connection.token(), nonce, channel())) {
            throw new IOException("wrong proof");
        }
        if (!hello.sealed() && wantsSeal()) {
            throw new IOException("it does not seal, and this process wants that");
        }
        if (hello.sealed()) {
            seal(
                    hello.key(Hello.Side.ACCEPTING, connection.token(), nonce),
                    hello.key(Hello.Side.CONNECTING, connection.token(), nonce));
        }
        send(ByteBuffer.allocate(Long.BYTES).putLong(Hello.MAGIC).flip());
        finish(connection, hello.lane());
    }

    private TcpConnection connection(Hello given) throws IOException {
        TcpConnection connection = loop.endpoint(given.endpoint());
        if (connection == null || !connection.awaits(given.lane(), given.lanes())) {
            throw new IOException("no such end is awaited");
        }
        return connection;
    }

    @Override
    void ended() {
        onEnd.accept(this);
    }
}

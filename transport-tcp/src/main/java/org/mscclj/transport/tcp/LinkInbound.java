package org.mscclj.transport.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.function.Consumer;

/** The greeting of a socket that has connected to this process. A socket that fails it is closed without an answer. */
final class LinkInbound extends InboundGreeting {
    private final SocketChannel socket;
    private final SelectionKey key;
    private final Consumer<LinkInbound> onEnd;

    LinkInbound(EventLoop loop, SocketChannel socket, Consumer<LinkInbound> onEnd) throws IOException {
        super(loop);
        this.socket = socket;
        this.onEnd = onEnd;
        LaneChannel channel = loop.channel(socket, false);
        key = loop.register(socket, SelectionKey.OP_READ, this);
        connected(channel, new KeyReadiness(key));
        begin();
    }

    /** Returns the address of the other side; empty if the socket is closed. */
    Optional<InetAddress> source() {
        return Optional.ofNullable(socket.socket().getInetAddress());
    }

    @Override
    boolean awaits(TcpConnection connection, Hello given) {
        return given.isForLink() && connection.admitsLink();
    }

    @Override
    void accept(TcpConnection connection, Hello said, byte[] own) throws IOException {
        connection.countLink();
        finishAccepting();
        Link.accepted(loop(), socket, channel(), key);
    }

    @Override
    void close() {
        Sockets.closeQuietly(socket);
    }

    @Override
    void ended() {
        onEnd.accept(this);
    }
}

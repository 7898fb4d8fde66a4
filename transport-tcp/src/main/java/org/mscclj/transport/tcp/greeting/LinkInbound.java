package org.mscclj.transport.tcp.greeting;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.function.Consumer;
import org.mscclj.transport.tcp.channel.KeyReadiness;
import org.mscclj.transport.tcp.channel.LaneChannel;
import org.mscclj.transport.tcp.link.ProcessLink;
import org.mscclj.transport.tcp.loop.Sockets;

/** The greeting of a socket that has connected to this process. A socket that fails it is closed without an answer. */
final class LinkInbound extends InboundGreeting {
    private final SocketChannel socket;
    private final SelectionKey key;
    private final Consumer<LinkInbound> onEnd;

    LinkInbound(ProcessSockets sockets, SocketChannel socket, Consumer<LinkInbound> onEnd) throws IOException {
        super(sockets);
        this.socket = socket;
        this.onEnd = onEnd;
        LaneChannel channel = sockets.channel(socket, false);
        key = sockets.loop().register(socket, SelectionKey.OP_READ, this);
        connected(channel, new KeyReadiness(key));
        begin();
    }

    /** Returns the address of the other side; empty if the socket is closed. */
    Optional<InetAddress> source() {
        return Optional.ofNullable(socket.socket().getInetAddress());
    }

    @Override
    boolean awaits(LocalEndpoint endpoint, Hello given) {
        return given.isForLink() && endpoint.admitsLink();
    }

    @Override
    void accept(LocalEndpoint endpoint, Hello said, byte[] own) throws IOException {
        endpoint.countLink();
        finishAccepting();
        ProcessLink.accepted(sockets().loop(), socket, channel(), key, sockets().strangerTimeout(), sockets()::greet);
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

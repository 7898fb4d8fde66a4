package org.mscclj.transport.tcp;

import java.io.IOException;

/** The greeting of a stream that the peer has opened for a lane of a connection. */
final class StreamInbound extends InboundGreeting {
    private final LinkStream stream;
    private final Runnable onEnd;

    private StreamInbound(EventLoop loop, LinkStream stream, Runnable onEnd) {
        super(loop);
        this.stream = stream;
        this.onEnd = onEnd;
    }

    static void start(EventLoop loop, LinkStream stream, Runnable onEnd) {
        StreamInbound greeting = new StreamInbound(loop, stream, onEnd);
        greeting.connected(stream, stream);
        stream.attach(greeting);
        greeting.begin();
    }

    @Override
    boolean awaits(TcpConnection connection, Hello given) {
        return !given.isForLink() && connection.awaits(given.lane(), given.lanes());
    }

    @Override
    void accept(TcpConnection connection, Hello said, byte[] own) throws IOException {
        if (!said.sealed() && loop().settings().seals(stream.link().socket())) {
            throw new IOException("it does not seal, and this process requires sealing");
        }
        finishAccepting();
        LaneChannel channel = said.sealed()
                ? new SealedChannel(
                        stream,
                        said.key(Hello.Side.ACCEPTING, connection.token(), own),
                        said.key(Hello.Side.CONNECTING, connection.token(), own))
                : stream;
        connection.attach(said.lane(), channel, stream);
    }

    @Override
    void close() {
        stream.close();
    }

    @Override
    void ended() {
        onEnd.run();
    }
}

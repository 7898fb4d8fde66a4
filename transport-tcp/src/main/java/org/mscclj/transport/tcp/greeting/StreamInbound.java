package org.mscclj.transport.tcp.greeting;

import java.io.IOException;
import org.mscclj.transport.tcp.channel.LaneChannel;
import org.mscclj.transport.tcp.channel.SealedChannel;
import org.mscclj.transport.tcp.link.LinkStream;

/** The greeting of a stream that the peer has opened for a lane of a connection. */
final class StreamInbound extends InboundGreeting {
    private final LinkStream stream;
    private final Runnable onEnd;

    private StreamInbound(ProcessSockets sockets, LinkStream stream, Runnable onEnd) {
        super(sockets);
        this.stream = stream;
        this.onEnd = onEnd;
    }

    static void start(ProcessSockets sockets, LinkStream stream, Runnable onEnd) {
        StreamInbound greeting = new StreamInbound(sockets, stream, onEnd);
        greeting.connected(stream, stream);
        stream.attach(greeting);
        greeting.begin();
    }

    @Override
    boolean awaits(LocalEndpoint endpoint, Hello given) {
        return !given.isForLink() && endpoint.awaits(given.lane(), given.lanes());
    }

    @Override
    void accept(LocalEndpoint endpoint, Hello said, byte[] own) throws IOException {
        if (!said.sealed() && sockets().settings().seals(stream.link().socket())) {
            throw new IOException("it does not seal, and this process requires sealing");
        }
        finishAccepting();
        LaneChannel channel = said.sealed()
                ? new SealedChannel(
                        stream,
                        said.key(Hello.Side.ACCEPTING, endpoint.token(), own),
                        said.key(Hello.Side.CONNECTING, endpoint.token(), own))
                : stream;
        endpoint.attach(said.lane(), channel, stream);
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

package org.mscclj.transport.tcp.greeting;

import java.io.IOException;
import org.mscclj.transport.tcp.channel.LaneChannel;
import org.mscclj.transport.tcp.channel.SealedChannel;
import org.mscclj.transport.tcp.link.LinkStream;

/** The greeting of a stream that this side opens for a lane of a connection. */
final class StreamOutbound extends OutboundGreeting {
    private final LinkStream stream;
    private final int lane;
    private LaneChannel channel;

    private StreamOutbound(
            ProcessSockets sockets,
            LinkStream stream,
            LocalEndpoint endpoint,
            EndpointDescription peer,
            int lane,
            long nanos) {
        super(sockets, endpoint, peer, nanos);
        this.stream = stream;
        this.lane = lane;
        this.channel = stream;
    }

    /** Starts connecting a lane, within a time limit. A failure fails the connection. */
    static void start(
            ProcessSockets sockets,
            LinkStream stream,
            LocalEndpoint endpoint,
            EndpointDescription peer,
            int lane,
            long nanos) {
        StreamOutbound greeting = new StreamOutbound(sockets, stream, endpoint, peer, lane, nanos);
        greeting.connected(stream, stream);
        stream.attach(greeting);
        greeting.begin();
        boolean seals = sockets.settings().seals(stream.link().socket());
        greeting.greet(new Hello(peer.id(), lane, peer.lanes(), seals, Hello.random(Hello.NONCE)));
        stream.dispatch();
    }

    @Override
    void proved(Hello said, byte[] theirs) {
        if (said.sealed()) {
            channel = new SealedChannel(
                    stream,
                    said.key(Hello.Side.CONNECTING, peer().token(), theirs),
                    said.key(Hello.Side.ACCEPTING, peer().token(), theirs));
        }
    }

    @Override
    void accepted() throws IOException {
        endpoint().attach(lane, channel, stream);
    }

    @Override
    void close() {
        stream.close();
    }
}

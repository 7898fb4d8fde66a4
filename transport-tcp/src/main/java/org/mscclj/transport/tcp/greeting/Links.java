package org.mscclj.transport.tcp.greeting;

import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.mscclj.transport.tcp.channel.LaneChannel;
import org.mscclj.transport.tcp.link.ProcessLink;
import org.mscclj.transport.tcp.loop.EventLoop;

/**
 * The links that this process has connected, by peer process. A peer process has as many links as a connection has
 * lanes, so that one connection uses several sockets, and a thousand connections use no more. Only the loop's thread
 * uses it.
 */
public final class Links {
    /** The peer process, the address at which it listens, and the index of the link among those to this process. */
    private record Place(UUID process, InetSocketAddress address, int index) {}

    private final ProcessSockets sockets;
    private final EventLoop loop;
    private final Map<Place, ProcessLink> links = new HashMap<>();

    /** Lanes that wait until the first lane has connected the link. */
    private final Map<Place, List<Runnable>> waiting = new HashMap<>();

    Links(ProcessSockets sockets) {
        this.sockets = sockets;
        this.loop = sockets.loop();
    }

    /** Connects a lane of a connection within a time limit. A failure fails the connection. */
    public void connect(LocalEndpoint endpoint, EndpointDescription peer, int lane, long deadline) {
        long left = deadline - System.nanoTime();
        if (endpoint.hasFailed()) {
            return;
        }
        if (left <= 0) {
            endpoint.notConnected();
            return;
        }
        Place place = new Place(peer.process(), peer.address(), lane);
        ProcessLink link = links.get(place);
        if (link != null) {
            StreamOutbound.start(sockets, link.open(), endpoint, peer, lane, left);
            return;
        }
        List<Runnable> others = waiting.get(place);
        if (others != null) {
            others.add(() -> connect(endpoint, peer, lane, deadline));
            return;
        }
        waiting.put(place, new ArrayList<>());
        LinkOutbound.start(sockets, endpoint, peer, left, new LinkOutbound.Outcome() {
            @Override
            public void connected(SocketChannel socket, LaneChannel channel, SelectionKey key) {
                ProcessLink connected = ProcessLink.connected(
                        loop, socket, channel, key, sockets.strangerTimeout(), closed -> links.remove(place, closed));
                links.put(place, connected);
                connect(endpoint, peer, lane, deadline);
                next(place);
                loop.execute(connected::closeIfIdle);
            }

            @Override
            public void notConnected() {
                next(place);
            }
        });
    }

    /** Continues with the waiting lanes: over the link, or, after a failure, by another attempt of one of them. */
    private void next(Place place) {
        List<Runnable> lanes = waiting.remove(place);
        if (lanes != null) {
            lanes.forEach(loop::execute);
        }
    }
}

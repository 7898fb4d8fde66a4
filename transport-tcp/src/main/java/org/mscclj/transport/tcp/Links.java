package org.mscclj.transport.tcp;

import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The links that this process has connected, by peer process. There are as many to one as its connections have lanes,
 * so that one connection uses several sockets, and a thousand connections no more. Used by the loop's thread alone.
 */
final class Links {
    /** The process that is connected to, where it listens, and which of the links to it this is. */
    private record Place(UUID process, InetSocketAddress address, int index) {}

    private final EventLoop loop;
    private final Map<Place, Link> links = new HashMap<>();

    /** Lanes that wait until the link is connected for the first one. */
    private final Map<Place, List<Runnable>> waiting = new HashMap<>();

    Links(EventLoop loop) {
        this.loop = loop;
    }

    /** Connects a lane of a connection, until then at the latest. What goes wrong fails the connection. */
    void connect(TcpConnection connection, EndpointDescription peer, int lane, long deadline) {
        long left = deadline - System.nanoTime();
        if (connection.hasFailed()) {
            return;
        }
        if (left <= 0) {
            connection.notConnected();
            return;
        }
        Place place = new Place(peer.process(), peer.address(), lane);
        Link link = links.get(place);
        if (link != null) {
            StreamOutbound.start(loop, link.open(), connection, peer, lane, left);
            return;
        }
        List<Runnable> others = waiting.get(place);
        if (others != null) {
            others.add(() -> connect(connection, peer, lane, deadline));
            return;
        }
        waiting.put(place, new ArrayList<>());
        LinkOutbound.start(loop, connection, peer, left, new LinkOutbound.Outcome() {
            @Override
            public void connected(SocketChannel socket, LaneChannel channel, SelectionKey key) {
                Link connected = Link.connected(loop, socket, channel, key, closed -> links.remove(place, closed));
                links.put(place, connected);
                connect(connection, peer, lane, deadline);
                next(place);
                loop.execute(connected::closeIfIdle);
            }

            @Override
            public void notConnected() {
                next(place);
            }
        });
    }

    /** Those that waited go on: over the link, or one of them tries itself. */
    private void next(Place place) {
        List<Runnable> lanes = waiting.remove(place);
        if (lanes != null) {
            lanes.forEach(loop::execute);
        }
    }
}

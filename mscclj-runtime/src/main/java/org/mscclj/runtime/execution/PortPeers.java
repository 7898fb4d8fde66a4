package org.mscclj.runtime.execution;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.mscclj.plan.ChannelPairing;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.transport.RankTransports;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportConnection;

/** The ways from this rank to the peers of its port channels, anonymous ones included: one connection each. */
final class PortPeers implements AutoCloseable {
    /** A way to a peer: the name of the transport, the transport, and the connection over it. */
    record Way(String name, Transport transport, TransportConnection connection) {}

    private final Map<Integer, Way> ways;

    private PortPeers(Map<Integer, Way> ways) {
        this.ways = ways;
    }

    /** Connects. Collective. */
    static PortPeers connect(String plan, ChannelPairing pairing, ControlPlane control, RankTransports transports) {
        byte[][] ends = Exchange.gather(control, "ends of port channels of plan " + plan, transports::describe);
        int rank = control.rank();
        Map<Integer, Way> ways = new LinkedHashMap<>();
        PortPeers peers = new PortPeers(ways);
        Exchange.gather(control, "connections of port channels of plan " + plan, () -> {
            IntStream.range(0, pairing.slots(rank))
                    .map(slot -> pairing.partner(rank, slot).rank())
                    .distinct()
                    .forEach(peer -> {
                        String name = transports.choose(peer, ends[peer]);
                        Transport transport = transports.transport(name);
                        ways.put(
                                peer,
                                new Way(name, transport, transport.connect(transports.endpoint(name, ends[peer]))));
                    });
            return new byte[0];
        });
        return peers;
    }

    /** The way to a peer of a port channel. */
    Way way(int peer) {
        Way way = ways.get(peer);
        if (way == null) {
            throw new IllegalStateException("no port channel leads to rank " + peer);
        }
        return way;
    }

    /** Every peer and the way to it. */
    Map<Integer, Way> ways() {
        return ways;
    }

    @Override
    public void close() {
        ways.values().forEach(way -> way.connection().close());
    }
}

package org.mscclj.runtime.execution.context;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.mscclj.plan.pairing.ChannelPairing;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.event.EventRecorder;
import org.mscclj.runtime.proxy.ProxyAgent;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.time.Deadline;
import org.mscclj.runtime.transport.RankLinks;
import org.mscclj.runtime.transport.RankTransports;
import org.mscclj.runtime.transport.SharedConnection;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.TransportEndpoint;

/**
 * Connections from this rank to the peers of a plan's port channels, anonymous channels included: one connection for
 * each peer, and the proxy agent that uses them.
 */
final class PortPeers implements AutoCloseable {
    /** The connection to a peer, with its transport and the name of the transport. */
    record Way(String name, Transport transport, TransportConnection connection) {}

    private final ControlPlane control;
    private final RankLinks links;
    private final ChannelPairing pairing;
    private final Map<Integer, TransportEndpoint> endpoints = new LinkedHashMap<>();
    private final Map<Integer, Way> ways = new LinkedHashMap<>();
    private final ProxyAgent proxy;

    /** The agent that answers requests of peers. Threads push the answers, and so it may not be that of kernels. */
    private volatile ProxyAgent answering;

    /** Opens the proxy agent. */
    PortPeers(ControlPlane control, RankLinks links, ChannelPairing pairing) {
        this.control = control;
        this.links = links;
        this.pairing = pairing;
        this.proxy = links.openProxy();
        this.answering = proxy;
    }

    /** Returns the addresses of this rank in all transports. */
    byte[] describe() {
        return links.transports().describe();
    }

    /**
     * Creates an endpoint for each peer and returns the description of the endpoints.
     *
     * @param addresses the addresses of each rank
     */
    byte[] endpoints(List<byte[]> addresses) {
        for (int peer : peersOf(control.rank(), pairing)) {
            String name = choose(peer, addresses.get(peer), control, links.transports());
            endpoints.put(peer, endpoint(name, addresses.get(peer), links.transports()));
        }
        return describe(endpoints);
    }

    /**
     * Connects, while peers connect, too.
     *
     * @param addresses the addresses of each rank
     * @param described the endpoints of each rank
     */
    void connect(List<byte[]> addresses, List<Message> described) {
        Deadline deadline = Deadline.after(control.timeLeft()); // for all connections together
        RankTransports transports = links.transports();
        endpoints.forEach((peer, endpoint) -> {
            String name = choose(peer, addresses.get(peer), control, transports);
            TransportConnection connection = EventRecorder.connection(
                    control.rank(),
                    peer,
                    name,
                    () -> links.connect(
                            control,
                            endpoint,
                            Wire.decodeFrom(
                                    peer, described.get(peer).bytes(), message -> find(control.rank(), message)),
                            peer,
                            name,
                            deadline));
            ways.put( // closed from now on
                    peer, new Way(name, transports.transport(name), SharedConnection.of(links.device(), connection)));
            connection.listen(links.listener(peer, name, proxy, () -> answering));
        });
    }

    /** Closes the endpoints. All ranks must have connected. */
    void closeEndpoints() {
        List<TransportEndpoint> connected = List.copyOf(endpoints.values());
        endpoints.clear();
        Resources.close(connected);
    }

    private static String choose(int peer, byte[] addresses, ControlPlane control, RankTransports transports) {
        boolean near = control.nodes().share(control.rank(), peer);
        return Wire.decodeFrom(peer, addresses, message -> transports.choose(peer, near, message));
    }

    private static TransportEndpoint endpoint(String name, byte[] addresses, RankTransports transports) {
        return transports.transport(name).createEndpoint(transports.address(name, addresses));
    }

    private static int[] peersOf(int rank, ChannelPairing pairing) {
        return IntStream.range(0, pairing.slots(rank))
                .map(slot -> pairing.partner(rank, slot).rank())
                .distinct()
                .toArray();
    }

    private static byte[] describe(Map<Integer, TransportEndpoint> endpoints) {
        return Wire.encode(out -> {
            out.writeInt(endpoints.size());
            for (Map.Entry<Integer, TransportEndpoint> entry : endpoints.entrySet()) {
                out.writeInt(entry.getKey());
                Wire.writeBytes(out, entry.getValue().describe());
            }
        });
    }

    /** Returns the endpoint that a peer has created for this rank. */
    private static byte[] find(int rank, byte[] described) {
        return Wire.decode(described, in -> {
            byte[] found = new byte[0];
            for (int left = in.readInt(); left > 0; left--) {
                boolean wanted = in.readInt() == rank;
                byte[] endpoint = Wire.readBytes(in);
                found = wanted ? endpoint : found;
            }
            return found;
        });
    }

    /** Returns the connection to a peer of a port channel. */
    Way way(int peer) {
        Way way = ways.get(peer);
        if (way == null) {
            throw new IllegalStateException("no port channel leads to rank " + peer);
        }
        return way;
    }

    /** Returns every peer and the connection to it. */
    Map<Integer, Way> ways() {
        return ways;
    }

    /** Returns the agent that drives the connections. It serves only this plan. */
    ProxyAgent proxy() {
        return proxy;
    }

    /** Returns the agent that answers requests of peers, into whose ring threads push. Opens it if kernels push. */
    synchronized ProxyAgent answering() {
        if (answering.fifo().isPushedByDevice()) {
            answering = links.openHostProxy();
        }
        return answering;
    }

    /** Carries out all pushed triggers, and ends the proxy agents. Idempotent. */
    void stop() {
        Resources.close(List.of(() -> links.closeProxy(answering), () -> links.closeProxy(proxy)));
    }

    @Override
    public void close() {
        List<AutoCloseable> all = new ArrayList<>(endpoints.values());
        endpoints.clear();
        ways.values().forEach(way -> all.add(way.connection()));
        all.add(this::stop);
        Resources.close(all); // in reverse order
    }
}

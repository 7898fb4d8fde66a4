package org.mscclj.runtime.execution;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.pairing.BufferAccess;
import org.mscclj.plan.pairing.ChannelPairing;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.proxy.ProxyAgent;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.PeerContext;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.engine.PortBuffers;

/**
 * How a context's port channels reach their peers: connections, semaphores, and memory ids. Empty for plans without
 * port channels.
 */
final class PortWiring implements AutoCloseable {
    private final ExecutionEnvironment environment;
    private final Plan plan;
    private final List<Integer> peersByChannel;
    private final Optional<PortPeers> peers;
    private final List<PortBinding> bindings = new ArrayList<>();
    private final Map<Integer, PortBinding> arrivals = new HashMap<>();
    private final List<AutoCloseable> resources = new ArrayList<>();

    private PortWiring(ExecutionEnvironment environment, Plan plan, Optional<PortPeers> peers) {
        this.environment = environment;
        this.plan = plan;
        this.peersByChannel = plan.ranks().get(environment.control().rank()).portChannelPeers();
        this.peers = peers;
        peers.ifPresent(resources::add);
    }

    /**
     * Wires a context. Collective.
     *
     * @param mapped what is mapped of each rank, by rank
     */
    static PortWiring open(
            Plan plan,
            ChannelPairing pairing,
            long slotBytes,
            ContextMemory memory,
            List<PeerContext> mapped,
            ExecutionEnvironment environment) {
        if (plan.ranks().stream().allMatch(rank -> rank.portChannelPeers().isEmpty())) {
            return new PortWiring(environment, plan, Optional.empty());
        }
        PortPeers peers = PortPeers.connect(plan.name(), pairing, environment.control(), environment.links());
        PortWiring wiring = new PortWiring(environment, plan, Optional.of(peers));
        try {
            wiring.connect(peers, pairing, slotBytes, memory, mapped);
            return wiring;
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(List.of(wiring), e);
            throw e;
        }
    }

    private void connect(
            PortPeers ways, ChannelPairing pairing, long slotBytes, ContextMemory memory, List<PeerContext> mapped) {
        PortMemory scratch = portMemory("scratch", memory.scratch(), ways);
        resources.add(scratch);
        PortMemory counters = portMemory("counters", memory.counters(), ways);
        resources.add(counters);
        Exchange.gather(environment.control(), "semaphores of plan " + plan.label(), () -> {
            for (int channel = 0; channel < peersByChannel.size(); channel++) {
                bindings.add(bind(channel, ways, pairing, slotBytes, scratch, counters));
            }
            ways.ways().keySet().stream()
                    .filter(peer -> mapped.get(peer).counters().isEmpty())
                    .forEach(peer ->
                            arrivals.put(peer, semaphore(ways, peer, ContextLayout.ARRIVALS, scratch, counters)));
            return new byte[0];
        });
    }

    private PortBinding bind(
            int channel,
            PortPeers ways,
            ChannelPairing pairing,
            long slotBytes,
            PortMemory scratch,
            PortMemory counters) {
        int peer = peersByChannel.get(channel);
        ChannelPairing.Endpoint partner = pairing.partner(environment.control().rank(), channel);
        ChannelPairing memoryPairing = SharedPlans.memoryPairing(plan);
        long counter = ContextLayout.of(plan, memoryPairing, pairing, peer, slotBytes)
                .counterOffset(ChannelType.PORT, partner.slot());
        return semaphore(ways, peer, counter, scratch, counters);
    }

    /** A way to raise a counter of a peer. */
    private PortBinding semaphore(PortPeers ways, int peer, long counter, PortMemory scratch, PortMemory counters) {
        PortPeers.Way way = ways.way(peer);
        ProxyAgent proxy = ways.proxy();
        int semaphore = proxy.addSemaphore(peer, way.connection(), counters.remote(peer), counter);
        resources.add(() -> proxy.removeSemaphore(semaphore));
        return new PortBinding(proxy.fifo(), semaphore, scratch.localId(way), scratch.remoteId(peer));
    }

    private PortMemory portMemory(String kind, DeviceBuffer buffer, PortPeers ways) {
        return PortMemory.open(
                kind + " of plan " + plan.label() + " for port channels",
                buffer,
                environment.control(),
                environment.links().transports(),
                ways);
    }

    /** The way of each of this rank's port channels, by channel id. */
    List<PortBinding> bindings() {
        return List.copyOf(bindings);
    }

    /** For each peer whose counters are not mapped, how to raise its count of arrivals. */
    Map<Integer, PortBinding> arrivals() {
        return arrivals;
    }

    /**
     * Makes a buffer of each rank known to the port channels. Collective; only for plans with port channels.
     *
     * @param what for messages
     */
    PortMemory share(String what, DeviceBuffer buffer) {
        return PortMemory.open(
                what, buffer, environment.control(), environment.links().transports(), opened());
    }

    /** The first memory id of this rank's buffer, for what is written to a peer. */
    int localId(PortMemory memory, int peer) {
        return memory.localId(opened().way(peer));
    }

    /** What drives the port channels. Only for plans that have some. */
    ProxyAgent proxy() {
        return opened().proxy();
    }

    /** Whether all connections tell of signals that have come. */
    boolean tellSignals() {
        return opened().ways().values().stream()
                .allMatch(way -> way.connection().tellsSignals());
    }

    private PortPeers opened() {
        return peers.orElseThrow(() -> new IllegalStateException("plan " + plan.label() + " has no port channels"));
    }

    /**
     * Makes the buffers of a launch known to the port channels; what is opened is added to {@code opened}. Collective.
     *
     * @return their memory ids, by channel id
     */
    List<PortBuffers> register(DeviceBuffer input, DeviceBuffer output, List<AutoCloseable> opened) {
        if (peers.isEmpty()) {
            return List.of();
        }
        PortPeers ways = peers.get();
        Optional<PortMemory> inputs = registerIfUsed(BufferType.INPUT, input, ways, opened);
        Optional<PortMemory> outputs = registerIfUsed(BufferType.OUTPUT, output, ways, opened);
        return peersByChannel.stream()
                .map(peer -> new PortBuffers(
                        inputs.map(memory -> memory.localId(ways.way(peer))).orElse(PortMemory.NO_ID),
                        outputs.map(memory -> memory.localId(ways.way(peer))).orElse(PortMemory.NO_ID),
                        inputs.map(memory -> memory.remoteId(peer)).orElse(PortMemory.NO_ID),
                        outputs.map(memory -> memory.remoteId(peer)).orElse(PortMemory.NO_ID)))
                .toList();
    }

    private Optional<PortMemory> registerIfUsed(
            BufferType type, DeviceBuffer buffer, PortPeers ways, List<AutoCloseable> opened) {
        if (!BufferAccess.byPorts(plan).contains(type)) {
            return Optional.empty();
        }
        PortMemory memory = portMemory(type.name(), buffer, ways);
        opened.add(memory);
        return Optional.of(memory);
    }

    /** Carries out what was pushed, and ends the proxy. */
    void stop() {
        peers.ifPresent(PortPeers::stop);
    }

    @Override
    public void close() {
        Resources.close(resources);
        resources.clear();
    }
}

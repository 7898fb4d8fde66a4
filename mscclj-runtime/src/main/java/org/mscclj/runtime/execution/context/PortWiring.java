package org.mscclj.runtime.execution.context;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.pairing.ChannelPairing;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.plan.SharedPlans;
import org.mscclj.runtime.proxy.ProxyAgent;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.transport.RankTransports;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.PeerContext;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.engine.PortBuffers;
import org.mscclj.spi.engine.PortBuffers.Region;
import org.mscclj.spi.transport.LocalMemory;

/**
 * Connections, semaphores and memory ids by which a context's port channels reach their peers. Empty for plans without
 * port channels.
 */
public final class PortWiring implements AutoCloseable {
    private final ExecutionEnvironment environment;
    private final Plan plan;
    private final ChannelPairing pairing;
    private final long slotBytes;
    private final List<Integer> peersByChannel;
    private final PortMemory scratch = new PortMemory();
    private final PortMemory counters = new PortMemory();
    private final List<PortBinding> bindings = new ArrayList<>();
    private final Map<Integer, PortBinding> arrivals = new HashMap<>();
    private final List<AutoCloseable> resources = new ArrayList<>();

    /** Memory from which requests are answered, and its first id in the ring of the answers. */
    private final IdentityHashMap<LocalMemory, Integer> answeredFrom = new IdentityHashMap<>();

    private Optional<PortPeers> peers = Optional.empty();

    /** Creates a wiring without connections. */
    PortWiring(ExecutionEnvironment environment, Plan plan, ChannelPairing pairing, long slotBytes) {
        this.environment = environment;
        this.plan = plan;
        this.pairing = pairing;
        this.slotBytes = slotBytes;
        this.peersByChannel = plan.ranks().get(environment.control().rank()).portChannelPeers();
    }

    /** Description of a rank for its peers. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Description(byte[] address, byte[] scratch, byte[] counters) {
        static Description decode(byte[] message) {
            return Wire.decode(
                    message, in -> new Description(Wire.readBytes(in), Wire.readBytes(in), Wire.readBytes(in)));
        }

        byte[] encode() {
            return Wire.encode(out -> {
                Wire.writeBytes(out, address);
                Wire.writeBytes(out, scratch);
                Wire.writeBytes(out, counters);
            });
        }
    }

    /** Returns whether the plan has no port channels on any rank. */
    boolean isEmpty() {
        return !SharedPlans.usesPorts(plan);
    }

    /**
     * Registers this rank's memory and returns its addresses and the description of that memory; empty if there are no
     * port channels.
     */
    byte[] describe(ContextMemory memory) {
        if (isEmpty()) {
            return new byte[0];
        }
        PortPeers opened = new PortPeers(environment.control(), environment.links(), pairing);
        peers = Optional.of(opened);
        resources.addAll(List.of(opened, scratch, counters));
        RankTransports transports = environment.links().transports();
        return new Description(
                        opened.describe(),
                        scratch.register(memory.scratch(), transports),
                        counters.register(memory.counters(), transports))
                .encode();
    }

    private static List<Description> descriptions(List<ContextDescription> described) {
        return Wire.decodeAll(
                described.stream().map(ContextDescription::ports).toList(), Description.class, Description::decode);
    }

    private static List<byte[]> addresses(List<Description> descriptions) {
        return descriptions.stream().map(Description::address).toList();
    }

    /**
     * Creates an endpoint for each peer and returns the description of the endpoints; empty if there are no port
     * channels.
     */
    byte[] endpoints(List<ContextDescription> described) {
        return peers.map(opened -> opened.endpoints(addresses(descriptions(described))))
                .orElseGet(() -> new byte[0]);
    }

    /**
     * Connects, imports the memory of peers, and creates semaphores. Only for plans with port channels.
     *
     * @param endpoints endpoints of each rank
     * @param mapped mapped memory of each rank, by rank
     */
    void connect(List<ContextDescription> described, List<Message> endpoints, List<PeerContext> mapped) {
        PortPeers ways = opened();
        List<Description> descriptions = descriptions(described);
        ways.connect(addresses(descriptions), endpoints);
        scratch.importAll(descriptions.stream().map(Description::scratch).toList(), ways);
        counters.importAll(descriptions.stream().map(Description::counters).toList(), ways);
        for (int channel = 0; channel < peersByChannel.size(); channel++) {
            bindings.add(bind(channel, ways));
        }
        ways.ways().keySet().stream()
                .filter(peer -> mapped.get(peer).counters().isEmpty())
                .forEach(peer -> arrivals.put(peer, semaphore(ways, peer, ContextLayout.ARRIVALS_BY_PORT)));
    }

    /** Closes the endpoints. All ranks must have connected. */
    void closeEndpoints() {
        peers.ifPresent(PortPeers::closeEndpoints);
    }

    private PortBinding bind(int channel, PortPeers ways) {
        return semaphore(ways, peersByChannel.get(channel), counterOfPartner(channel));
    }

    /** Returns the offset of the counter that the partner of a channel waits for, in the peer's counters. */
    private long counterOfPartner(int channel) {
        ChannelPairing.Endpoint partner = pairing.partner(environment.control().rank(), channel);
        ChannelPairing memoryPairing = SharedPlans.memoryPairing(plan);
        return ContextLayout.of(plan, memoryPairing, pairing, peersByChannel.get(channel), slotBytes)
                .counterOffset(ChannelType.PORT, partner.slot());
    }

    /** Creates a binding that raises a counter of a peer. */
    private PortBinding semaphore(PortPeers ways, int peer, long counter) {
        PortPeers.Way way = ways.way(peer);
        int semaphore = semaphore(ways.proxy(), way, peer, counter);
        return new PortBinding(ways.proxy().fifo(), semaphore, scratch.localId(way), scratch.remoteId(peer));
    }

    private int semaphore(ProxyAgent agent, PortPeers.Way way, int peer, long counter) {
        int semaphore = agent.addSemaphore(peer, way.connection(), counters.remote(peer), counter);
        resources.add(() -> agent.removeSemaphore(semaphore));
        return semaphore;
    }

    /**
     * How this rank answers requests of a peer: by copies from memory of its own to the peer's scratch.
     *
     * @param port a ring into which threads push, and what names the peer's counter and scratch in it
     * @param memoryId the first id of the memory in that ring
     */
    public record Answers(PortBinding port, int memoryId) {}

    /** Returns the answers on a channel, from shared memory. */
    public Answers answers(int channel, PortMemory memory) {
        PortPeers ways = opened();
        ProxyAgent agent = ways.answering();
        int peer = peersByChannel.get(channel);
        PortPeers.Way way = ways.way(peer);
        if (agent.equals(ways.proxy())) {
            return new Answers(bindings.get(channel), memory.localId(way));
        }
        int semaphore = semaphore(agent, way, peer, counterOfPartner(channel));
        int peerScratch = agent.addRemoteMemory(scratch.remote(peer));
        resources.add(() -> agent.removeRemoteMemory(peerScratch));
        int own = answeredFrom.computeIfAbsent(memory.local(way), local -> {
            int id = agent.addLocalMemory(local);
            resources.add(() -> agent.removeLocalMemory(id));
            return id;
        });
        return new Answers(new PortBinding(agent.fifo(), semaphore, PortMemory.NO_ID, peerScratch), own);
    }

    /** Returns the binding of each of this rank's port channels, by channel id. */
    public List<PortBinding> bindings() {
        return List.copyOf(bindings);
    }

    /** Returns, for each peer whose counters are not mapped, a binding that raises the peer's count of arrivals. */
    Map<Integer, PortBinding> arrivals() {
        return arrivals;
    }

    /**
     * Shares a buffer of each rank with the port channels. Collective; only for plans with port channels.
     *
     * @param what names the buffer in messages
     */
    public PortMemory share(String what, DeviceBuffer buffer) {
        return PortMemory.open(
                what, buffer, environment.control(), environment.links().transports(), opened());
    }

    /** Returns the agent that answers requests of peers. Only for plans with port channels. */
    public ProxyAgent answering() {
        return opened().answering();
    }

    /** Returns whether all connections report arrived signals. */
    public boolean tellSignals() {
        return opened().ways().values().stream()
                .allMatch(way -> way.connection().tellsSignals());
    }

    private PortPeers opened() {
        return peers.orElseThrow(() -> new IllegalStateException("plan " + plan.label() + " has no port channels"));
    }

    /**
     * Returns the memory ids of the buffers of a launch, by channel id; an empty list if there are no port channels.
     *
     * @param inputs inputs of all ranks as port channels name them; empty if the channels access none. Outputs likewise
     */
    public List<PortBuffers> buffers(Optional<PortMemory> inputs, Optional<PortMemory> outputs) {
        if (peers.isEmpty()) {
            return List.of();
        }
        PortPeers ways = opened();
        return peersByChannel.stream()
                .map(peer -> new PortBuffers(
                        region(inputs, memory -> memory.localId(ways.way(peer))),
                        region(outputs, memory -> memory.localId(ways.way(peer))),
                        region(inputs, memory -> memory.remoteId(peer)),
                        region(outputs, memory -> memory.remoteId(peer))))
                .toList();
    }

    private static Region region(Optional<PortMemory> memory, ToIntFunction<PortMemory> id) {
        return new Region(memory.isPresent() ? id.applyAsInt(memory.get()) : PortMemory.NO_ID, 0);
    }

    /**
     * Returns buffers in the memory of others.
     *
     * @param whole the buffers in whose memory they lie, by channel id
     * @param parts where they begin in these, on each rank
     */
    public List<PortBuffers> at(List<PortBuffers> whole, BufferParts parts) {
        if (whole.isEmpty() || parts.areWhole()) {
            return whole;
        }
        int rank = environment.control().rank();
        List<PortBuffers> shifted = new ArrayList<>(whole.size());
        for (int channel = 0; channel < whole.size(); channel++) {
            PortBuffers buffers = whole.get(channel);
            int peer = peersByChannel.get(channel);
            shifted.add(new PortBuffers(
                    buffers.input().at(parts.input(rank)),
                    buffers.output().at(parts.output(rank)),
                    buffers.peerInput().at(parts.input(peer)),
                    buffers.peerOutput().at(parts.output(peer))));
        }
        return shifted;
    }

    /** Imports the memory of peers. The connections must exist. */
    void importAll(PortMemory memory, List<byte[]> descriptions) {
        memory.importAll(descriptions, opened());
    }

    /** Carries out all pushed triggers, and ends the proxy agent. */
    void stop() {
        peers.ifPresent(PortPeers::stop);
    }

    @Override
    public void close() {
        Resources.close(resources);
        resources.clear();
    }
}

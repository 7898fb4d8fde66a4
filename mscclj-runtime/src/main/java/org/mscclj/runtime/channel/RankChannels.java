package org.mscclj.runtime.channel;

import java.io.DataInput;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.channel.Connection;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.channel.PortChannel;
import org.mscclj.api.channel.RegisteredMemory;
import org.mscclj.api.channel.Semaphore;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.runtime.channel.CounterPool.Counter;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.event.Events;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.time.Deadline;
import org.mscclj.runtime.transport.RankTransports;
import org.mscclj.spi.device.MemoryChannelSpec;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.TransportEndpoint;

/**
 * Manually created channels of one rank. In each step that two ranks take together, each sends one message. The kind of
 * step, the kind of channel and the tag identify the messages of a step. Closing this object frees what the application
 * has not closed.
 */
public final class RankChannels implements ChannelSetup, AutoCloseable {
    private static final int PACKET_BYTES = 16;

    private final ChannelEnvironment environment;
    private final CounterPool counters;

    private final Parts made = new Parts();
    private @Nullable DeviceBuffer probe;
    private boolean closed;

    /** Creates the channels of a rank, of which there are none yet. */
    public RankChannels(ChannelEnvironment environment) {
        this.environment = environment;
        this.counters = new CounterPool(environment);
    }

    @Override
    public RegisteredMemory register(DeviceBuffer buffer) {
        Objects.requireNonNull(buffer, "buffer");
        requireOpen();
        return made.add(new OwnMemory(environment, buffer));
    }

    @Override
    public void sendMemory(RegisteredMemory memory, int peer, int tag) {
        Objects.requireNonNull(memory, "memory");
        requireOpen();
        requirePeer(peer);
        OwnMemory own = own("memory", memory);
        environment
                .control()
                .send(
                        peer,
                        Topic.of(TopicKind.SENT_MEMORY, tag),
                        own.description().encode());
    }

    @Override
    public RegisteredMemory receiveMemory(int peer, int tag) {
        requireOpen();
        requirePeer(peer);
        byte[] message = environment.control().receive(peer, Topic.of(TopicKind.SENT_MEMORY, tag));
        return made.add(new PeerMemory(environment, Wire.decodeFrom(peer, message, MemoryDescription::decode)));
    }

    @Override
    public Connection connect(int peer, int tag, ChannelKind kind) {
        Objects.requireNonNull(kind, "kind");
        requireOpen();
        requirePeer(peer);
        return made.add(
                switch (kind) {
                    case MEMORY -> connectMapped(peer, tag);
                    case PORT -> connectTransport(peer, tag);
                });
    }

    private PeerConnection connectMapped(int peer, int tag) {
        MemoryHandle own = environment.device().export(probe());
        byte[] message = exchange(
                peer, Topic.of(TopicKind.MAPPED_CONNECTION, tag), Wire.encode(out -> Wire.writeHandle(out, own)));
        MemoryHandle handle = Wire.decodeFrom(peer, message, from -> Wire.decode(from, Wire::readHandle));
        if (!nodes().share(environment.control().rank(), peer)) {
            throw new UnsupportedException("rank " + peer + " is on another node than this rank "
                    + environment.control().rank() + ", so that its memory cannot be mapped"
                    + "; connect with ChannelKind.PORT and use port channels");
        }
        if (!environment.device().canMap(handle)) {
            throw new UnsupportedException("memory of rank " + peer + " (backend " + handle.backend()
                    + ") cannot be mapped by this rank (backend "
                    + environment.device().backend()
                    + "); run ranks that share memory on devices that reach each other, or connect with"
                    + " ChannelKind.PORT where a transport leads to that rank (mscclj info lists them)");
        }
        return PeerConnection.mapped(peer);
    }

    private PeerConnection connectTransport(int peer, int tag) {
        RankTransports transports = environment.transports();
        byte[] message = exchange(peer, Topic.of(TopicKind.PORT_CONNECTION, tag), transports.describe());
        boolean sameNode = nodes().share(environment.control().rank(), peer);
        String name = transports.choose(peer, sameNode, message);
        Transport transport = transports.transport(name);
        try (TransportEndpoint endpoint = transport.createEndpoint(transports.address(name, message))) {
            byte[] peerEndpoint =
                    exchange(peer, Topic.of(TopicKind.PORT_CONNECTION_ENDPOINT, tag), endpoint.describe());
            TransportConnection connection = Events.connection(
                    environment.control().rank(),
                    peer,
                    name,
                    () -> connect(endpoint, peerEndpoint, peer, name, Topic.of(TopicKind.PORT_CONNECTION_MADE, tag)));
            try {
                connection.listen(environment.links().listener(peer, name, environment.proxy()));
                boolean shared = environment.device().pushesTriggers();
                return PeerConnection.over(peer, name, shared ? new SharedConnection(connection) : connection);
            } catch (RuntimeException | Error e) {
                Resources.closeSuppressing(List.of(connection), e);
                throw e;
            }
        }
    }

    /**
     * Connects to a peer. Returns when both sides have connected, or throws on both: a transport's own end may be
     * ready, and be closed, before the peer's.
     */
    private TransportConnection connect(
            TransportEndpoint endpoint, byte[] peerEndpoint, int peer, String transport, Topic topic) {
        ControlPlane control = environment.control();
        TransportConnection connection;
        try {
            connection = environment
                    .links()
                    .connect(control, endpoint, peerEndpoint, peer, transport, Deadline.after(control.timeLeft()));
        } catch (MsccljException e) {
            if (environment.abort().isSet()) {
                throw e; // the peer learns of the abort anyway
            }
            control.send(peer, topic, Wire.encode(out -> out.writeUTF(e.toString())));
            throw e;
        }
        try {
            String failure = Wire.decodeFrom(
                    peer,
                    exchange(peer, topic, Wire.encode(out -> out.writeUTF(""))),
                    message -> Wire.decode(message, DataInput::readUTF));
            if (!failure.isEmpty()) {
                throw new BackendException(
                        "rank " + peer + " could not connect to this rank: " + failure, new ConnectException(failure));
            }
            return connection;
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(List.of(connection), e);
            throw e;
        }
    }

    private Nodes nodes() {
        return environment.control().nodes();
    }

    /** The location of a peer's counter. */
    private record PeerCounter(MemoryDescription slab, long offset) {}

    @Override
    public Semaphore createSemaphore(Connection connection, int tag) {
        Objects.requireNonNull(connection, "connection");
        requireOpen();
        if (!(connection instanceof PeerConnection ours)) {
            throw notOurs("connection", connection);
        }
        Counter counter = counters.take();
        byte[] own = Wire.encode(out -> {
            Wire.writeBytes(out, counter.slab().description().encode());
            out.writeLong(counter.offset());
        });
        byte[] message = exchange(ours.peer(), Topic.of(semaphoreTopic(ours.kind()), tag), own);
        PeerCounter theirs = Wire.decodeFrom(
                ours.peer(),
                message,
                from -> Wire.decode(
                        from, in -> new PeerCounter(MemoryDescription.decode(Wire.readBytes(in)), in.readLong())));
        return made.add(new CounterSemaphore(
                environment, ours, counter, new PeerMemory(environment, theirs.slab()), theirs.offset()));
    }

    @Override
    public MemoryChannel memoryChannel(Semaphore semaphore, RegisteredMemory target, RegisteredMemory origin) {
        Objects.requireNonNull(semaphore, "semaphore");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(origin, "origin");
        return memoryChannel(semaphore, target, origin, Optional.empty());
    }

    @Override
    public MemoryChannel memoryChannel(
            Semaphore semaphore, RegisteredMemory target, RegisteredMemory origin, RegisteredMemory packets) {
        Objects.requireNonNull(semaphore, "semaphore");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(origin, "origin");
        Objects.requireNonNull(packets, "packets");
        OwnMemory ownPackets = own("packets", packets);
        requirePackets(ownPackets.buffer());
        return memoryChannel(semaphore, target, origin, Optional.of(ownPackets));
    }

    /**
     * Checks the alignment of memory for packets. Packets are loaded whole. The peer, which stores them, does not know
     * their alignment in this rank's memory.
     */
    private static void requirePackets(DeviceBuffer buffer) {
        if (buffer.byteSize() > 0 && buffer.address() % PACKET_BYTES != 0) {
            throw InvalidArgumentException.of(
                    "packets",
                    "memory at address 0x" + Long.toHexString(buffer.address()),
                    "memory that begins at a multiple of " + PACKET_BYTES
                            + ", the bytes of a packet; begin the slice at such an offset");
        }
    }

    private MemoryChannel memoryChannel(
            Semaphore semaphore, RegisteredMemory target, RegisteredMemory origin, Optional<OwnMemory> packets) {
        CounterSemaphore ours = semaphore(semaphore, ChannelKind.MEMORY);
        PeerMemory peerTarget = peerMemory(target, ours);
        OwnMemory ownOrigin = own("origin", origin);
        Counter counter = ours.own();
        List<Users> parts = new ArrayList<>(List.of(peerTarget.users(), ownOrigin.users()));
        packets.ifPresent(memory -> parts.add(memory.users()));
        return make(ours, parts, () -> {
            MemoryChannel channel = environment
                    .device()
                    .createMemoryChannel(new MemoryChannelSpec(
                            ours.connection().peer(),
                            peerTarget.mapped(),
                            ownOrigin.buffer(),
                            packets.map(OwnMemory::buffer),
                            counter.slab().buffer().slice(counter.offset(), Long.BYTES),
                            ours.peerCounter(),
                            environment.abort(),
                            environment.control().endOf(ours.connection().peer())));
            List<Users> all = new ArrayList<>(parts);
            all.add(ours.users());
            return new GuardedMemoryChannel(
                    channel, all, environment, ours.connection().peer());
        });
    }

    @Override
    public PortChannel portChannel(Semaphore semaphore, RegisteredMemory target, RegisteredMemory origin) {
        Objects.requireNonNull(semaphore, "semaphore");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(origin, "origin");
        CounterSemaphore ours = semaphore(semaphore, ChannelKind.PORT);
        PeerMemory peerTarget = peerMemory(target, ours);
        OwnMemory ownOrigin = own("origin", origin);
        String transport = ours.connection().transport();
        return make(
                ours,
                List.of(peerTarget.users(), ownOrigin.users()),
                () -> new ProxyPortChannel(
                        environment,
                        new ProxyPortChannel.Ends(
                                ours,
                                ownOrigin,
                                ownOrigin.proxyId(environment.proxy(), transport),
                                peerTarget,
                                peerTarget.proxyId(environment.proxy(), transport))));
    }

    @Override
    public SortedMap<Integer, MemoryChannel> memoryChannels(DeviceBuffer memory, int tag) {
        return toAllPeers(memory, tag, ChannelKind.MEMORY, this::memoryChannel);
    }

    @Override
    public SortedMap<Integer, PortChannel> portChannels(DeviceBuffer memory, int tag) {
        return toAllPeers(memory, tag, ChannelKind.PORT, this::portChannel);
    }

    /** Creates a channel from its parts. */
    @FunctionalInterface
    private interface Maker<C> {
        C make(Semaphore semaphore, RegisteredMemory target, RegisteredMemory origin);
    }

    /**
     * Creates a channel to each peer. Each rank takes its peers in ascending order, so that of the remaining pairs the
     * first one always makes progress.
     */
    private <C> SortedMap<Integer, C> toAllPeers(DeviceBuffer memory, int tag, ChannelKind kind, Maker<C> maker) {
        RegisteredMemory origin = register(Objects.requireNonNull(memory, "memory"));
        SortedMap<Integer, C> channels = new TreeMap<>();
        for (int peer = 0; peer < environment.control().size(); peer++) {
            if (peer != environment.control().rank()) {
                sendMemory(origin, peer, tag);
                RegisteredMemory target = receiveMemory(peer, tag);
                Semaphore semaphore = createSemaphore(connect(peer, tag, kind), tag);
                channels.put(peer, maker.make(semaphore, target, origin));
            }
        }
        return Collections.unmodifiableSortedMap(channels);
    }

    /** Creates a channel. Its parts count as used from now on, unless the creation fails. */
    private <C extends Part> C make(CounterSemaphore semaphore, List<Users> parts, Supplier<C> maker) {
        requireOpen();
        semaphore.take();
        List<Users> added = new ArrayList<>();
        try {
            for (Users part : parts) {
                part.add();
                added.add(part);
            }
            return made.add(maker.get());
        } catch (RuntimeException | Error e) {
            added.forEach(Users::remove);
            semaphore.untake();
            throw e;
        }
    }

    private static TopicKind semaphoreTopic(ChannelKind kind) {
        return switch (kind) {
            case MEMORY -> TopicKind.MAPPED_SEMAPHORE;
            case PORT -> TopicKind.PORT_SEMAPHORE;
        };
    }

    private byte[] exchange(int peer, Topic topic, byte[] own) {
        environment.control().send(peer, topic, own);
        return environment.control().receive(peer, topic);
    }

    private synchronized DeviceBuffer probe() {
        DeviceBuffer known = probe;
        if (known == null) {
            known = environment.device().allocate(Long.BYTES);
            probe = known;
        }
        return known;
    }

    private void requirePeer(int peer) {
        int size = environment.control().size();
        int rank = environment.control().rank();
        if (peer < 0 || peer >= size || peer == rank) {
            throw InvalidArgumentException.of("peer", peer, "0 to " + (size - 1) + " except " + rank + ", this rank");
        }
    }

    private static OwnMemory own(String argument, RegisteredMemory memory) {
        if (memory instanceof OwnMemory own) {
            return own;
        }
        throw memory instanceof PeerMemory
                ? InvalidArgumentException.of(
                        argument, "memory of rank " + memory.rank(), "memory of this rank, made by register")
                : notOurs(argument, memory);
    }

    private static PeerMemory peerMemory(RegisteredMemory memory, CounterSemaphore semaphore) {
        int peer = semaphore.connection().peer();
        if (memory instanceof PeerMemory ours && ours.rank() == peer) {
            return ours;
        }
        throw memory instanceof PeerMemory || memory instanceof OwnMemory
                ? InvalidArgumentException.of(
                        "target",
                        "memory of rank " + memory.rank(),
                        "memory of rank " + peer + ", made by receiveMemory")
                : notOurs("target", memory);
    }

    private static CounterSemaphore semaphore(Semaphore semaphore, ChannelKind kind) {
        if (!(semaphore instanceof CounterSemaphore ours)) {
            throw notOurs("semaphore", semaphore);
        }
        if (ours.connection().kind() != kind) {
            throw InvalidArgumentException.of(
                    "semaphore",
                    "over a connection of kind " + ours.connection().kind(),
                    "one over kind " + kind);
        }
        return ours;
    }

    private static InvalidArgumentException notOurs(String argument, Object given) {
        return InvalidArgumentException.of(
                argument, given.getClass().getName(), "what the channel setup of the same communicator made");
    }

    private synchronized void requireOpen() {
        if (closed) {
            throw new InvalidArgumentException("the communicator is closed; open another one");
        }
    }

    /** Closes all parts that are still open. Peers must not access this rank's memory any more. Idempotent. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        List<AutoCloseable> all = new ArrayList<>();
        DeviceBuffer own = probe;
        if (own != null) {
            all.add(own);
        }
        all.add(counters);
        all.addAll(made.takeAll());
        Resources.close(all);
    }
}

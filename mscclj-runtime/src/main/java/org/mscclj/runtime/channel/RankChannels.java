package org.mscclj.runtime.channel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.channel.Connection;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.channel.PortChannel;
import org.mscclj.api.channel.RegisteredMemory;
import org.mscclj.api.channel.Semaphore;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.channel.CounterPool.Counter;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.MemoryChannelSpec;

/**
 * Manually created channels of one rank. In each step that two ranks take together, each sends one message. The kind of
 * step, the kind of channel and the tag identify the messages of a step. Closing this object frees what the application
 * has not closed.
 */
public final class RankChannels implements ChannelSetup, AutoCloseable {
    private final ChannelEnvironment environment;
    private final CounterPool counters;
    private final ConnectionSetUp connections;
    private final CreatedParts made = new CreatedParts();
    private boolean closed;

    /** Creates the channels of a rank, of which there are none yet. */
    public RankChannels(ChannelEnvironment environment) {
        this.environment = environment;
        this.counters = new CounterPool(environment);
        this.connections = new ConnectionSetUp(environment);
    }

    @Override
    public RegisteredMemory register(DeviceBuffer buffer) {
        Objects.requireNonNull(buffer, "buffer");
        requireOpen();
        return made.add(new OwnChannelMemory(environment, buffer));
    }

    @Override
    public void sendMemory(RegisteredMemory memory, int peer, int tag) {
        Objects.requireNonNull(memory, "memory");
        requireOpen();
        requirePeer(peer);
        OwnChannelMemory own = ChannelArguments.own("memory", memory);
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
        return made.add(
                new PeerChannelMemory(environment, Wire.decodeFrom(peer, message, ChannelMemoryDescription::decode)));
    }

    @Override
    public Connection connect(int peer, int tag, ChannelKind kind) {
        Objects.requireNonNull(kind, "kind");
        requireOpen();
        requirePeer(peer);
        return made.add(
                switch (kind) {
                    case MEMORY -> connections.mapped(peer, tag);
                    case PORT -> connections.overTransport(peer, tag);
                });
    }

    /** The location of a peer's counter. */
    private record PeerCounter(ChannelMemoryDescription slab, long offset) {}

    @Override
    public Semaphore createSemaphore(Connection connection, int tag) {
        Objects.requireNonNull(connection, "connection");
        requireOpen();
        if (!(connection instanceof PeerConnection ours)) {
            throw ChannelArguments.notOurs("connection", connection);
        }
        Counter counter = counters.take();
        byte[] own = Wire.encode(out -> {
            Wire.writeBytes(out, counter.slab().description().encode());
            out.writeLong(counter.offset());
        });
        byte[] message = environment.exchange(ours.peer(), Topic.of(semaphoreTopic(ours.kind()), tag), own);
        PeerCounter theirs = Wire.decodeFrom(
                ours.peer(),
                message,
                from -> Wire.decode(
                        from,
                        in -> new PeerCounter(ChannelMemoryDescription.decode(Wire.readBytes(in)), in.readLong())));
        return made.add(new CounterSemaphore(
                environment, ours, counter, new PeerChannelMemory(environment, theirs.slab()), theirs.offset()));
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
        OwnChannelMemory ownPackets = ChannelArguments.own("packets", packets);
        ChannelArguments.requirePackets(ownPackets.buffer());
        return memoryChannel(semaphore, target, origin, Optional.of(ownPackets));
    }

    private MemoryChannel memoryChannel(
            Semaphore semaphore, RegisteredMemory target, RegisteredMemory origin, Optional<OwnChannelMemory> packets) {
        CounterSemaphore ours = ChannelArguments.semaphore(semaphore, ChannelKind.MEMORY);
        PeerChannelMemory peerTarget = ChannelArguments.peerMemory(target, ours);
        OwnChannelMemory ownOrigin = ChannelArguments.own("origin", origin);
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
                            packets.map(OwnChannelMemory::buffer),
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
        CounterSemaphore ours = ChannelArguments.semaphore(semaphore, ChannelKind.PORT);
        PeerChannelMemory peerTarget = ChannelArguments.peerMemory(target, ours);
        OwnChannelMemory ownOrigin = ChannelArguments.own("origin", origin);
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

    private void requirePeer(int peer) {
        int size = environment.control().size();
        int rank = environment.control().rank();
        if (peer < 0 || peer >= size || peer == rank) {
            throw InvalidArgumentException.of("peer", peer, "0 to " + (size - 1) + " except " + rank + ", this rank");
        }
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
        all.add(connections);
        all.add(counters);
        all.addAll(made.takeAll());
        Resources.close(all);
    }
}

package org.mscclj.conformance.rank.refusal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.Communicator;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.channel.Connection;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.channel.PortChannel;
import org.mscclj.api.channel.RegisteredMemory;
import org.mscclj.api.channel.Semaphore;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.PacketType;

/** Channels made and used with bad arguments. None of these calls reaches another rank. */
final class BadChannels {
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final int TAG = 7;

    private final List<BadCall> calls = new ArrayList<>();

    private BadChannels() {}

    private void add(String what, Runnable call, Object... words) {
        calls.add(BadCall.of(what, call, words));
    }

    private void addNull(String argument, String method, Runnable call) {
        calls.add(BadCall.withNull(argument, method, call));
    }

    /**
     * Returns calls that set up channels, of which no part exists yet.
     *
     * @param buffer any memory of this rank
     */
    static List<BadCall> ofSetUp(Communicator communicator, DeviceBuffer buffer) {
        BadChannels bad = new BadChannels();
        ChannelSetup setup = communicator.channels();
        DeviceBuffer closed = communicator.device().allocate(buffer.byteSize());
        closed.close();
        bad.add("registering a closed buffer", () -> setup.register(closed), "closed");
        bad.add("registering memory of another backend", () -> setup.register(new ForeignBuffer(buffer)), "backend");
        bad.addNull("buffer", "register", () -> setup.register(Nothing.at()));
        bad.addNull("memory", "sendMemory", () -> setup.sendMemory(Nothing.at(), communicator.rank(), TAG));
        int size = communicator.size();
        for (int peer : new int[] {-1, size, communicator.rank()}) {
            String allowed = "0 to " + (size - 1) + " except " + communicator.rank();
            bad.add("receiving memory of rank " + peer, () -> setup.receiveMemory(peer, TAG), "peer", peer, allowed);
            for (ChannelKind kind : ChannelKind.values()) {
                bad.add(
                        "connecting by " + kind + " to rank " + peer,
                        () -> setup.connect(peer, TAG, kind),
                        "peer",
                        peer,
                        allowed);
            }
            bad.add(
                    "sending memory to rank " + peer,
                    () -> {
                        try (RegisteredMemory own = setup.register(buffer)) {
                            setup.sendMemory(own, peer, TAG);
                        }
                    },
                    "peer",
                    peer,
                    allowed);
        }
        bad.add("memory channels to all peers over a closed buffer", () -> setup.memoryChannels(closed, TAG), "closed");
        bad.add("port channels to all peers over a closed buffer", () -> setup.portChannels(closed, TAG), "closed");
        bad.addNull("memory", "memoryChannels", () -> setup.memoryChannels(Nothing.at(), TAG));
        bad.addNull("memory", "portChannels", () -> setup.portChannels(Nothing.at(), TAG));
        int other = (communicator.rank() + 1) % size;
        bad.addNull("kind", "connect", () -> setup.connect(other, TAG, Nothing.at()));
        bad.addNull("connection", "createSemaphore", () -> setup.createSemaphore(Nothing.at(), TAG));
        bad.add(
                "a semaphore over a foreign connection",
                () -> setup.createSemaphore(new ForeignConnection(other), TAG),
                "connection",
                "the same communicator");
        return bad.calls;
    }

    /** Parts of channels of one kind between two ranks. No channel uses them yet. */
    record Ends(ChannelSetup setup, Semaphore semaphore, RegisteredMemory target, RegisteredMemory origin) {}

    /** Returns calls that make a memory channel of unsuitable parts. */
    static List<BadCall> ofMemoryParts(Ends ends, Semaphore ofPorts) {
        BadChannels bad = new BadChannels();
        ChannelSetup setup = ends.setup;
        Semaphore semaphore = ends.semaphore;
        RegisteredMemory target = ends.target;
        RegisteredMemory origin = ends.origin;
        bad.add(
                "a memory channel over a connection for ports",
                () -> setup.memoryChannel(ofPorts, target, origin),
                "semaphore",
                "kind");
        bad.add("a memory channel to itself", () -> setup.memoryChannel(semaphore, origin, origin), "target");
        bad.add("a memory channel from elsewhere", () -> setup.memoryChannel(semaphore, target, target), "origin");
        bad.add(
                "a memory channel with packets elsewhere",
                () -> setup.memoryChannel(semaphore, target, origin, target),
                "packets");
        bad.addNull("semaphore", "memoryChannel", () -> setup.memoryChannel(Nothing.at(), target, origin));
        bad.addNull("target", "memoryChannel", () -> setup.memoryChannel(semaphore, Nothing.at(), origin));
        bad.addNull("origin", "memoryChannel", () -> setup.memoryChannel(semaphore, target, Nothing.at()));
        bad.addNull(
                "semaphore",
                "memoryChannel with packets",
                () -> setup.memoryChannel(Nothing.at(), target, origin, origin));
        bad.addNull(
                "target",
                "memoryChannel with packets",
                () -> setup.memoryChannel(semaphore, Nothing.at(), origin, origin));
        bad.addNull(
                "origin",
                "memoryChannel with packets",
                () -> setup.memoryChannel(semaphore, target, Nothing.at(), origin));
        bad.addNull(
                "packets",
                "memoryChannel with packets",
                () -> setup.memoryChannel(semaphore, target, origin, Nothing.at()));
        return bad.calls;
    }

    /**
     * Returns calls that make a memory channel whose packet memory is not aligned for packets.
     *
     * @param packets memory of this rank that does not begin at a multiple of the size of a packet
     * @param buffer the buffer of that memory
     */
    static List<BadCall> ofMisalignedPackets(Ends ends, RegisteredMemory packets, DeviceBuffer buffer) {
        BadChannels bad = new BadChannels();
        bad.add(
                "a memory channel with misaligned packets",
                () -> ends.setup
                        .memoryChannel(ends.semaphore, ends.target, ends.origin, packets)
                        .close(),
                "packets",
                "0x" + Long.toHexString(buffer.address()),
                "16");
        return bad.calls;
    }

    /** Returns writes of words and packets to a target that does not begin at a multiple of their size. */
    static List<BadCall> ofMisaligned(MemoryChannel channel) {
        BadChannels bad = new BadChannels();
        bad.add("reading a misaligned word", () -> channel.read(0), "target", "0x", "8");
        bad.add("writing a misaligned word", () -> channel.write(0, 1), "target", "0x", "8");
        for (PacketType type : PacketType.values()) {
            bad.add("misaligned packets", () -> channel.putPackets(0, 0, 8, 1, type), "target", "0x", "16");
        }
        return bad.calls;
    }

    /** Returns calls that make a port channel of unsuitable parts. */
    static List<BadCall> ofPortParts(Ends ends, Semaphore ofMemory) {
        BadChannels bad = new BadChannels();
        ChannelSetup setup = ends.setup;
        Semaphore semaphore = ends.semaphore;
        bad.add(
                "a port channel over mapped memory",
                () -> setup.portChannel(ofMemory, ends.target, ends.origin),
                "semaphore",
                "kind");
        bad.addAllOfPortParts(setup, semaphore, ends.target, ends.origin);
        return bad.calls;
    }

    private void addAllOfPortParts(
            ChannelSetup setup, Semaphore semaphore, RegisteredMemory target, RegisteredMemory origin) {
        add("a port channel to itself", () -> setup.portChannel(semaphore, origin, origin), "target");
        add("a port channel from elsewhere", () -> setup.portChannel(semaphore, target, target), "origin");
        addNull("semaphore", "portChannel", () -> setup.portChannel(Nothing.at(), target, origin));
        addNull("target", "portChannel", () -> setup.portChannel(semaphore, Nothing.at(), origin));
        addNull("origin", "portChannel", () -> setup.portChannel(semaphore, target, Nothing.at()));
    }

    /**
     * Returns uses of a memory channel.
     *
     * @param bytes size of its target, and of its origin
     */
    static List<BadCall> of(MemoryChannel channel, long bytes) {
        BadChannels bad = new BadChannels();
        for (long offset : new long[] {-1, 1, Long.MAX_VALUE}) {
            bad.add("a put at " + offset, () -> channel.put(offset, 0, bytes), "target", offset);
            bad.add("a put from " + offset, () -> channel.put(0, offset, bytes), "origin", offset);
            bad.add("a get at " + offset, () -> channel.get(offset, 0, bytes), "target", offset);
            bad.add("a get into " + offset, () -> channel.get(0, offset, bytes), "origin", offset);
            bad.add("reading at " + offset, () -> channel.read(offset), "target", offset);
            bad.add("writing at " + offset, () -> channel.write(offset, 1), "target", offset);
            bad.add("packets at " + offset, () -> channel.putPackets(offset, 0, 8, 1, PacketType.LL16), offset);
            bad.add(
                    "taking packets at " + offset,
                    () -> channel.getPackets(offset, 0, 8, 1, PacketType.LL16, SOON),
                    "packet");
        }
        for (long offset : new long[] {-1, bytes, Long.MAX_VALUE}) {
            bad.add(
                    "packets from " + offset,
                    () -> channel.putPackets(0, offset, 8, 1, PacketType.LL8),
                    "origin",
                    offset);
        }
        for (long count : new long[] {-8, bytes + 8}) {
            bad.add("a put of " + count + " bytes", () -> channel.put(0, 0, count), count);
            bad.add("a get of " + count + " bytes", () -> channel.get(0, 0, count), count);
            bad.add("packets of " + count + " bytes", () -> channel.putPackets(0, 0, count, 1, PacketType.LL8), count);
        }
        bad.add("packets of 7 bytes", () -> channel.putPackets(0, 0, 7, 1, PacketType.LL8), 7, "8");
        bad.add("packets of flag 0", () -> channel.putPackets(0, 0, 8, 0, PacketType.LL8), "flag", 0);
        bad.addNull("type", "putPackets", () -> channel.putPackets(0, 0, 8, 1, Nothing.at()));
        bad.addNull("type", "getPackets", () -> channel.getPackets(0, 0, 8, 1, Nothing.at(), SOON));
        bad.addNull("timeout", "getPackets", () -> channel.getPackets(0, 0, 8, 1, PacketType.LL8, Nothing.at()));
        bad.addNull("timeout", "await", () -> channel.await(Nothing.at()));
        bad.addNull("timeout", "awaitRelaxed", () -> channel.awaitRelaxed(Nothing.at()));
        return bad.calls;
    }

    /**
     * Returns uses of a port channel.
     *
     * @param bytes size of its target, and of its origin
     */
    static List<BadCall> of(PortChannel channel, long bytes) {
        BadChannels bad = new BadChannels();
        for (long offset : new long[] {-1, 1, Long.MAX_VALUE}) {
            bad.add("a put at " + offset, () -> channel.put(offset, 0, bytes), "target", offset);
            bad.add("a put from " + offset, () -> channel.put(0, offset, bytes), "origin", offset);
            bad.add(
                    "a put with a signal at " + offset,
                    () -> channel.putWithSignal(offset, 0, bytes),
                    "target",
                    offset);
            bad.add(
                    "a put with a signal that is flushed, from " + offset,
                    () -> channel.putWithSignalAndFlush(0, offset, bytes, SOON),
                    "origin",
                    offset);
        }
        for (long count : new long[] {-1, bytes + 1}) {
            bad.add("a put of " + count + " bytes", () -> channel.put(0, 0, count), "bytes", count);
            bad.add(
                    "a put of " + count + " bytes, with a signal",
                    () -> channel.putWithSignal(0, 0, count),
                    "bytes",
                    count);
        }
        bad.addNull("timeout", "putWithSignalAndFlush", () -> channel.putWithSignalAndFlush(0, 0, 8, Nothing.at()));
        bad.addNull("timeout", "flush", () -> channel.flush(Nothing.at()));
        bad.addNull("timeout", "await", () -> channel.await(Nothing.at()));
        return bad.calls;
    }

    /** Returns uses of a closed memory channel. */
    static List<BadCall> ofClosed(MemoryChannel channel) {
        BadChannels bad = new BadChannels();
        bad.add("a put by a closed channel", () -> channel.put(0, 0, 8), "closed");
        bad.add("a get by a closed channel", () -> channel.get(0, 0, 8), "closed");
        bad.add("reading by a closed channel", () -> channel.read(0), "closed");
        bad.add("writing by a closed channel", () -> channel.write(0, 1), "closed");
        bad.add("signalling by a closed channel", channel::signal, "closed");
        bad.add("signalling, relaxed, by a closed channel", channel::signalRelaxed, "closed");
        bad.add("polling a closed channel", channel::poll, "closed");
        bad.add("awaiting a closed channel", () -> channel.await(SOON), "closed");
        bad.add("awaiting a closed channel without acquiring", () -> channel.awaitRelaxed(SOON), "closed");
        bad.add("packets by a closed channel", () -> channel.putPackets(0, 0, 8, 1, PacketType.LL8), "closed");
        bad.add(
                "taking packets by a closed channel",
                () -> channel.getPackets(0, 0, 8, 1, PacketType.LL8, SOON),
                "closed");
        return bad.calls;
    }

    /** Returns uses of a closed port channel. */
    static List<BadCall> ofClosed(PortChannel channel) {
        BadChannels bad = new BadChannels();
        bad.add("a put by a closed channel", () -> channel.put(0, 0, 8), "closed");
        bad.add("a put with a signal by a closed channel", () -> channel.putWithSignal(0, 0, 8), "closed");
        bad.add(
                "a put with a signal that is flushed, by a closed channel",
                () -> channel.putWithSignalAndFlush(0, 0, 8, SOON),
                "closed");
        bad.add("signalling by a closed channel", channel::signal, "closed");
        bad.add("flushing a closed channel", () -> channel.flush(SOON), "closed");
        bad.add("polling a closed channel", channel::poll, "closed");
        bad.add("awaiting a closed channel", () -> channel.await(SOON), "closed");
        return bad.calls;
    }

    private record ForeignConnection(int peer) implements Connection {
        @Override
        public String transport() {
            return "foreign";
        }

        @Override
        public void close() {}
    }
}

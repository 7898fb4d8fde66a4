package org.mscclj.conformance.rank.channel;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.mscclj.api.Communicator;
import org.mscclj.api.channel.Channel;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.channel.Connection;
import org.mscclj.api.channel.RegisteredMemory;
import org.mscclj.api.channel.Semaphore;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.conformance.task.Opened;

/**
 * A memory channel and a port channel from a rank to each other rank of its node, over one buffer. Ranks are counted
 * within the node.
 */
public final class DeviceChannelMesh {
    private static final int TAG = 103;

    private final DeviceBuffer buffer;
    private final List<Optional<Channel>> memory;
    private final List<Optional<Channel>> port;

    private DeviceChannelMesh(DeviceBuffer buffer, List<Optional<Channel>> memory, List<Optional<Channel>> port) {
        this.buffer = buffer;
        this.memory = memory;
        this.port = port;
    }

    /**
     * Makes the channels. Collective.
     *
     * @param packets where packet memory starts in the buffer, in bytes
     * @param opened receives everything that must be closed
     */
    public static DeviceChannelMesh make(Communicator communicator, long bytes, long packets, Opened opened) {
        int ranks = communicator.ranksPerNode();
        int first = communicator.rank() / ranks * ranks;
        int own = communicator.rank() - first;
        ChannelSetup setup = communicator.channels();
        DeviceBuffer buffer = opened.add(communicator.device().allocate(bytes), DeviceBuffer::close);
        RegisteredMemory origin = opened.add(setup.register(buffer), RegisteredMemory::close);
        RegisteredMemory inbox =
                opened.add(setup.register(buffer.slice(packets, bytes - packets)), RegisteredMemory::close);
        int[] peers = IntStream.range(0, ranks).filter(rank -> rank != own).toArray();
        for (int peer : peers) {
            setup.sendMemory(origin, first + peer, TAG);
        }
        List<Optional<Channel>> memory = new ArrayList<>(Collections.nCopies(ranks, Optional.empty()));
        List<Optional<Channel>> port = new ArrayList<>(Collections.nCopies(ranks, Optional.empty()));
        for (int peer : peers) {
            RegisteredMemory target = opened.add(setup.receiveMemory(first + peer, TAG), RegisteredMemory::close);
            Semaphore mapped = semaphore(setup, first + peer, ChannelKind.MEMORY, opened);
            Semaphore moved = semaphore(setup, first + peer, ChannelKind.PORT, opened);
            memory.set(peer, Optional.of(channel(() -> setup.memoryChannel(mapped, target, origin, inbox), opened)));
            port.set(peer, Optional.of(channel(() -> setup.portChannel(moved, target, origin), opened)));
        }
        return new DeviceChannelMesh(buffer, memory, port);
    }

    private static Semaphore semaphore(ChannelSetup setup, int peer, ChannelKind kind, Opened opened) {
        Connection connection = opened.add(setup.connect(peer, TAG, kind), Connection::close);
        return opened.add(setup.createSemaphore(connection, TAG), Semaphore::close);
    }

    /** Makes a channel that kernels use from now on. */
    private static Channel channel(Supplier<? extends Channel> maker, Opened opened) {
        Channel channel = opened.add(maker.get(), Channel::close);
        long _ = channel.deviceHandle();
        return channel;
    }

    private static MemorySegment handles(List<Optional<Channel>> channels) {
        return MemorySegment.ofArray(channels.stream()
                .mapToLong(channel -> channel.map(Channel::deviceHandle).orElse(0L))
                .toArray());
    }

    /** Returns the memory channel and the port channel to a peer. */
    public List<Channel> to(int peer) {
        return List.of(memory.get(peer).orElseThrow(), port.get(peer).orElseThrow());
    }

    /** Returns this rank's memory. */
    public DeviceBuffer buffer() {
        return buffer;
    }

    /** Returns the handles of the memory channels, by peer; 0 for this rank. */
    public MemorySegment memory() {
        return handles(memory);
    }

    /** Returns the handles of the port channels, by peer; 0 for this rank. */
    public MemorySegment port() {
        return handles(port);
    }
}

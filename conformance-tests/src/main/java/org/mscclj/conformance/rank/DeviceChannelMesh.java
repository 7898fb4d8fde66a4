package org.mscclj.conformance.rank;

import java.lang.foreign.MemorySegment;
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
 * A memory and a port channel from a rank to each of the others on its node, over one buffer. Ranks are counted on the node.
 */
final class DeviceChannelMesh {
    private static final int TAG = 103;

    private final DeviceBuffer buffer;
    private final long[] memory;
    private final long[] port;

    private DeviceChannelMesh(DeviceBuffer buffer, long[] memory, long[] port) {
        this.buffer = buffer;
        this.memory = memory;
        this.port = port;
    }

    /**
     * Makes them. Collective.
     *
     * @param packets where packet memory starts in the buffer, in bytes
     * @param opened gets what is to be closed
     */
    static DeviceChannelMesh make(Communicator communicator, long bytes, long packets, Opened opened) {
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
        long[] memory = new long[ranks];
        long[] port = new long[ranks];
        for (int peer : peers) {
            RegisteredMemory target = opened.add(setup.receiveMemory(first + peer, TAG), RegisteredMemory::close);
            Semaphore mapped = semaphore(setup, first + peer, ChannelKind.MEMORY, opened);
            Semaphore moved = semaphore(setup, first + peer, ChannelKind.PORT, opened);
            memory[peer] = handle(() -> setup.memoryChannel(mapped, target, origin, inbox), opened);
            port[peer] = handle(() -> setup.portChannel(moved, target, origin), opened);
        }
        return new DeviceChannelMesh(buffer, memory, port);
    }

    private static Semaphore semaphore(ChannelSetup setup, int peer, ChannelKind kind, Opened opened) {
        Connection connection = opened.add(setup.connect(peer, TAG, kind), Connection::close);
        return opened.add(setup.createSemaphore(connection, TAG), Semaphore::close);
    }

    private static long handle(Supplier<? extends Channel> channel, Opened opened) {
        return opened.add(channel.get(), Channel::close).deviceHandle();
    }

    /** This rank's memory. */
    DeviceBuffer buffer() {
        return buffer;
    }

    /** Handles of memory channels, by peer; 0 for this rank. */
    MemorySegment memory() {
        return MemorySegment.ofArray(memory);
    }

    /** Handles of port channels, by peer; 0 for this rank. */
    MemorySegment port() {
        return MemorySegment.ofArray(port);
    }
}

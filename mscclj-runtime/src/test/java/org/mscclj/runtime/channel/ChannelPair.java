package org.mscclj.runtime.channel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.channel.PortChannel;
import org.mscclj.api.channel.RegisteredMemory;
import org.mscclj.api.channel.Semaphore;
import org.mscclj.api.device.DeviceBuffer;

/**
 * Two ranks of a group with a memory and a port channel to each other, made by the public API. The first half of each
 * rank's memory is for data, the second for packets.
 */
final class ChannelPair implements AutoCloseable {
    static final int BYTES = 8192;
    static final int DATA_BYTES = BYTES / 2;

    /** One rank's side. */
    record Side(
            ChannelSetup setup,
            DeviceBuffer buffer,
            RegisteredMemory own,
            RegisteredMemory peers,
            Semaphore memorySemaphore,
            Semaphore portSemaphore,
            MemoryChannel memory,
            PortChannel port) {}

    private final LocalGroup group;
    private final List<Side> sides;

    ChannelPair(Duration timeout) {
        group = LocalGroup.open(LocalGroupOptions.ranks(2).backend("host").timeout(timeout));
        List<Side> made = new ArrayList<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
            List<Future<Side>> futures = new ArrayList<>();
            for (int rank = 0; rank < 2; rank++) {
                int own = rank;
                futures.add(executor.submit(() -> make(own)));
            }
            for (Future<Side> future : futures) {
                made.add(future.get());
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
        sides = List.copyOf(made);
    }

    private Side make(int rank) {
        int peer = 1 - rank;
        DeviceBuffer buffer = group.communicator(rank).allocate(BYTES);
        ChannelSetup setup = group.communicator(rank).channels();
        RegisteredMemory own = setup.register(buffer);
        RegisteredMemory packets = setup.register(buffer.slice(DATA_BYTES, DATA_BYTES));
        setup.sendMemory(own, peer, 7);
        RegisteredMemory peers = setup.receiveMemory(peer, 7);
        Semaphore mapped = setup.createSemaphore(setup.connect(peer, 0, ChannelKind.MEMORY), 0);
        Semaphore ported = setup.createSemaphore(setup.connect(peer, 0, ChannelKind.PORT), 0);
        return new Side(
                setup,
                buffer,
                own,
                peers,
                mapped,
                ported,
                setup.memoryChannel(mapped, peers, own, packets),
                setup.portChannel(ported, peers, own));
    }

    Side side(int rank) {
        return sides.get(rank);
    }

    LocalGroup group() {
        return group;
    }

    @Override
    public void close() {
        group.close();
    }
}

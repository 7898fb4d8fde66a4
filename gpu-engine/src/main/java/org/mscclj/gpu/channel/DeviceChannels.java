package org.mscclj.gpu.channel;

import java.util.IdentityHashMap;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.device.kernels.channel.MemoryChannelStructure;
import org.mscclj.device.kernels.channel.PortChannelStructure;
import org.mscclj.gpu.memory.DeviceStructure;
import org.mscclj.gpu.queue.AbortWord;
import org.mscclj.gpu.queue.HostWords;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.MemoryChannelSpec;
import org.mscclj.spi.device.PortChannelSpec;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.DeviceHandle;
import org.mscclj.spi.proxy.TriggerFifo;

/** Creates the device structures of channels for user kernels, on one device. Safe for use by several threads. */
public final class DeviceChannels implements AutoCloseable {
    /** An object that channels of a communicator share, with the number of its users. */
    private static final class Shared<T> {
        final T value;
        int users;

        Shared(T value) {
            this.value = value;
        }
    }

    /** The words that end the waits of a channel: one for this rank's proxy and blocks, one for the peer. */
    private record Words(AbortWord communicator, AbortWord peer) {}

    private final BackendDevice device;
    private final HostWords words;
    private final IdentityHashMap<AbortFlag, Shared<AbortWord>> abortWords = new IdentityHashMap<>();
    private final IdentityHashMap<TriggerFifo, Integer> ringUsers = new IdentityHashMap<>();

    /** The rings that kernels push into; replaced when they change. */
    private volatile TriggerFifo[] rings = {};

    /**
     * Creates the channels of a device.
     *
     * @param device the device whose memory holds the structures
     */
    public DeviceChannels(BackendDevice device) {
        this.device = device;
        this.words = new HostWords(device);
    }

    /** Creates a memory channel that kernels can use, and threads of the host cannot. */
    public MemoryChannel memoryChannel(MemoryChannelSpec spec) {
        Words ending = enter(spec.abort(), spec.peerEnd());
        return new GpuMemoryChannel(DeviceStructure.create(
                device,
                MemoryChannelStructure.BYTES,
                (memory, address) -> MemoryChannelStructure.write(
                        memory,
                        address,
                        spec,
                        ending.communicator().address(),
                        ending.peer().address()),
                () -> leave(spec.abort(), spec.peerEnd())));
    }

    /** Creates the device structure of a port channel. */
    public DeviceHandle portHandle(PortChannelSpec spec) {
        Words ending = enter(spec.abort(), spec.peerEnd());
        addRing(spec.fifo());
        return DeviceStructure.create(
                device,
                PortChannelStructure.BYTES,
                (memory, address) -> PortChannelStructure.write(
                        memory,
                        address,
                        spec,
                        ending.communicator().address(),
                        ending.peer().address()),
                () -> {
                    removeRing(spec.fifo());
                    leave(spec.abort(), spec.peerEnd());
                });
    }

    private synchronized Words enter(AbortFlag communicator, AbortFlag peer) {
        AbortWord ofCommunicator = enter(communicator);
        try {
            return new Words(ofCommunicator, enter(peer));
        } catch (RuntimeException | Error e) {
            leave(communicator);
            throw e;
        }
    }

    private synchronized void leave(AbortFlag communicator, AbortFlag peer) {
        leave(peer);
        leave(communicator);
    }

    private AbortWord enter(AbortFlag flag) {
        Shared<AbortWord> shared = abortWords.computeIfAbsent(flag, key -> new Shared<>(new AbortWord(-1, key, words)));
        shared.users++;
        return shared.value;
    }

    private void leave(AbortFlag flag) {
        Shared<AbortWord> shared = abortWords.get(flag);
        if (shared != null && --shared.users == 0) {
            abortWords.remove(flag);
            shared.value.close();
        }
    }

    private synchronized void addRing(TriggerFifo ring) {
        ringUsers.merge(ring, 1, Integer::sum);
        rings = ringUsers.keySet().toArray(TriggerFifo[]::new);
    }

    private synchronized void removeRing(TriggerFifo ring) {
        ringUsers.computeIfPresent(ring, (_, users) -> users == 1 ? null : users - 1);
        rings = ringUsers.keySet().toArray(TriggerFifo[]::new);
    }

    /** Notifies the proxies of port channels that a user kernel is under way. Allocates nothing. */
    public void expectPushes() {
        for (TriggerFifo ring : rings) {
            ring.expectPushes();
        }
    }

    /** Frees the objects that channels share. All channels must be closed. Idempotent. */
    @Override
    public synchronized void close() {
        try (words) {
            abortWords.values().forEach(shared -> shared.value.close());
            abortWords.clear();
        }
    }
}

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import org.mscclj.api.Communicator;
import org.mscclj.api.algorithm.CallKind;
import org.mscclj.api.channel.Channel;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.channel.RegisteredMemory;
import org.mscclj.api.channel.Semaphore;
import org.mscclj.api.device.DeviceBuffer;

/**
 * A context: for each other rank, in the order of ranks, a channel from this rank's inputs to that rank's outputs.
 * Serves calls of any size, anywhere in the memory of their kind.
 */
final class PeerChannels implements AutoCloseable {
    private final Parts parts = new Parts();
    private final DeviceBuffer input;
    private final DeviceBuffer output;
    private final DeviceBuffer table;

    private PeerChannels(Communicator communicator, CallKind kind, int peers) {
        this.input = kind.input().orElseThrow();
        this.output = kind.output().orElseThrow();
        this.table = parts.add(communicator.device().allocate((long) peers * Long.BYTES));
    }

    /** Makes the channels. All ranks call this together. What was made is closed if that fails. */
    static PeerChannels open(Communicator communicator, CallKind kind, Peers peers, int tag) {
        PeerChannels channels =
                new PeerChannels(communicator, kind, peers.connections().size());
        try {
            channels.connect(communicator.channels(), peers, tag);
            return channels;
        } catch (RuntimeException e) {
            try {
                channels.close();
            } catch (RuntimeException closing) {
                e.addSuppressed(closing);
            }
            throw e;
        }
    }

    private void connect(ChannelSetup setup, Peers peers, int tag) {
        RegisteredMemory origin = parts.add(setup.register(input));
        RegisteredMemory own = parts.add(setup.register(output));
        peers.connections().keySet().forEach(peer -> setup.sendMemory(own, peer, tag));
        long[] handles = peers.connections().entrySet().stream()
                .mapToLong(entry -> {
                    RegisteredMemory target = parts.add(setup.receiveMemory(entry.getKey(), tag));
                    Semaphore semaphore = parts.add(setup.createSemaphore(entry.getValue(), tag));
                    Channel channel = parts.add(
                            peers.kind() == ChannelKind.PORT
                                    ? setup.portChannel(semaphore, target, origin)
                                    : setup.memoryChannel(semaphore, target, origin));
                    return channel.deviceHandle();
                })
                .toArray();
        try (Arena arena = Arena.ofConfined()) {
            table.copyFrom(arena.allocateFrom(ValueLayout.JAVA_LONG, handles));
        }
    }

    /** Keeps another part of the context. */
    <T extends AutoCloseable> T add(T part) {
        return parts.add(part);
    }

    /** Returns the address, on the device, of the channels' addresses. */
    long table() {
        return table.address();
    }

    /** Returns where the input of a call begins in the origins of the channels, in bytes. */
    long inputOffset(DeviceBuffer part) {
        return part.address() - input.address();
    }

    /** Returns where the output of a call begins in the targets of the channels, in bytes. */
    long outputOffset(DeviceBuffer part) {
        return part.address() - output.address();
    }

    @Override
    public void close() {
        parts.close();
    }
}

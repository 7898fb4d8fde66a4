package org.mscclj.backend.host.transfer;

import java.util.HashMap;
import java.util.Map;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.pairing.ChannelPairing;
import org.mscclj.posix.NativeMemory;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.proxy.Trigger;
import org.mscclj.spi.transfer.TransferLanes;
import org.mscclj.spi.transfer.WindowLanes;

/**
 * This rank's ends of the lanes of a context. They are created at their first use, and kept: their counts persist
 * across transfers.
 */
public final class HostLanes {
    private record Key(int peer, int lane, boolean outward) {}

    private final ContextSpec spec;
    private final TransferLanes lanes;
    private final Map<Key, TransferLane> ends = new HashMap<>();
    private final Map<Integer, PutLane> puts = new HashMap<>();
    private final Map<Integer, GetLane> gets = new HashMap<>();

    /** The lanes of a context, which belongs to the lanes' plan. */
    public HostLanes(ContextSpec spec, TransferLanes lanes) {
        this.spec = spec;
        this.lanes = lanes;
    }

    int rank() {
        return spec.rank();
    }

    TransferLanes lanes() {
        return lanes;
    }

    /**
     * Returns an end of a lane. One thread at a time may call this.
     *
     * @param outward whether this rank sends on it
     */
    synchronized TransferLane get(int peer, int lane, boolean outward) {
        return ends.computeIfAbsent(new Key(peer, lane, outward), this::open);
    }

    /** Returns the lane by which this rank puts to a rank on another node. One thread at a time may call this. */
    synchronized PutLane putLane(int peer) {
        return puts.computeIfAbsent(peer, this::openPuts);
    }

    /** Returns the lane by which this rank gets from a rank on another node. One thread at a time may call this. */
    synchronized GetLane getLane(int peer) {
        return gets.computeIfAbsent(peer, this::openGets);
    }

    private PutLane openPuts(int peer) {
        int channel = lanes.channel(spec.rank(), peer, WindowLanes.SIGNALS, true);
        long outbox = bytes(lanes.outboxSlot(spec.rank(), peer, WindowLanes.SIGNALS));
        return new PutLane(
                spec.ports().get(channel), spec.scratch().address(), outbox, lanes.slots(), lanes.slotBytes());
    }

    private GetLane openGets(int peer) {
        int channel = lanes.channel(spec.rank(), peer, WindowLanes.GETS, false);
        long counter = spec.counters().address() + layoutOf(spec.rank()).counterOffset(ChannelType.PORT, channel);
        long inbox = bytes(lanes.inboxSlot(spec.rank(), peer, WindowLanes.GETS));
        long outbox = bytes(lanes.outboxSlot(peer, spec.rank(), WindowLanes.GETS));
        return new GetLane(
                counter,
                lanes.slots(),
                lanes.slotBytes(),
                spec.scratch().address() + inbox,
                portSignal(channel, inbox, outbox));
    }

    private TransferLane open(Key key) {
        boolean mapped = lanes.isMapped(spec.rank(), key.peer());
        int channel = lanes.channel(spec.rank(), key.peer(), key.lane(), key.outward());
        long counter = spec.counters().address()
                + layoutOf(spec.rank()).counterOffset(mapped ? ChannelType.MEMORY : ChannelType.PORT, channel);
        long inbox = spec.scratch().address() + bytes(lanes.inboxSlot(spec.rank(), key.peer(), key.lane()));
        if (mapped) {
            return lane(counter, key.outward() ? peerInbox(key) : inbox, mappedSignal(key.peer(), channel));
        }
        long outbox = bytes(lanes.outboxSlot(spec.rank(), key.peer(), key.lane()));
        long peerInbox = bytes(lanes.inboxSlot(key.peer(), spec.rank(), key.lane()));
        return lane(
                counter,
                key.outward() ? spec.scratch().address() + outbox : inbox,
                portSignal(channel, outbox, peerInbox));
    }

    private TransferLane lane(long counter, long firstSlot, SlotSignal signal) {
        return new TransferLane(counter, lanes.slots(), lanes.slotBytes(), firstSlot, signal);
    }

    private long bytes(int slots) {
        return slots * lanes.slotBytes();
    }

    private ContextLayout layoutOf(int rank) {
        return ContextLayout.of(spec.plan(), spec.memoryPairing(), spec.portPairing(), rank, spec.slotBytes());
    }

    private long peerInbox(Key key) {
        long scratch = spec.peers().get(key.peer()).scratch().orElseThrow(() -> unmapped(key.peer()));
        return scratch + bytes(lanes.inboxSlot(key.peer(), spec.rank(), key.lane()));
    }

    private SlotSignal mappedSignal(int peer, int channel) {
        ChannelPairing.Endpoint partner = spec.memoryPairing().partner(spec.rank(), channel);
        long counter = spec.peers().get(peer).counters().orElseThrow(() -> unmapped(peer))
                + layoutOf(peer).counterOffset(ChannelType.MEMORY, partner.slot());
        return (count, _, _) -> {
            NativeMemory.setLongRelease(counter, count); // this end alone raises it
            return true;
        };
    }

    /**
     * Returns a signal through a port channel, which first copies the bytes that the other end has to see.
     *
     * @param from offset of the first slot in this rank's scratch, in bytes
     * @param to offset of that slot's copy in the peer's scratch, in bytes
     */
    private SlotSignal portSignal(int channel, long from, long to) {
        PortBinding port = spec.ports().get(channel);
        return (_, slot, bytes) -> {
            long offset = slot * lanes.slotBytes();
            long word0 = bytes == 0 ? 0 : Trigger.word0(bytes, from + offset);
            long word1 = bytes == 0
                    ? Trigger.word1(0, 0, 0, Trigger.SIGNAL, port.semaphoreId())
                    : Trigger.word1(
                            to + offset,
                            port.scratchId(),
                            port.peerScratchId(),
                            Trigger.DATA | Trigger.SIGNAL,
                            port.semaphoreId());
            return port.fifo().tryPush(word0, word1) >= 0;
        };
    }

    private UnsupportedException unmapped(int peer) {
        return new UnsupportedException("rank " + spec.rank() + " cannot send to rank " + peer
                + ": its memory is not mapped here, although both are on one node; run ranks of one"
                + " node under one user");
    }
}

package org.mscclj.device.kernels.transfer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.device.kernels.plan.CounterAddresses;
import org.mscclj.device.kernels.plan.StateLayout;
import org.mscclj.plan.ChannelType;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.transfer.RemoteAccess;
import org.mscclj.spi.transfer.Transfer;
import org.mscclj.spi.transfer.TransferLanes;
import org.mscclj.spi.transfer.TransferSpec;
import org.mscclj.spi.transfer.WindowLanes;

/**
 * The numbers of a batch of point-to-point transfers, or of an access to the memory of another node, in words of 64
 * bits, as defined in {@code transfer.cuh}. A block executes one lane of one direction between two ranks, or the
 * access.
 */
public final class TransferTable {
    private static final int COMMON_WORDS = 3;
    private static final int PART_WORDS = 8;
    private static final long RECEIVE = 0;
    private static final long SEND = 1;
    private static final long COPY = 2;
    private static final long SIGNAL = 3;
    private static final long TAKE = 4;
    private static final long PUT = 5;
    private static final long GET = 6;

    /** The bit of a kind that uses a port channel. */
    private static final long THROUGH_PORT = 0x8000;

    /** The position of the word, in a part, that has the position of its port. */
    private static final int PORT_POSITION = 6;

    /** As in {@code transfertrace.cuh}. */
    private static final int NAME_SHIFT = 16;

    private static final int MAX_NAME = 0xffff;

    private final ContextSpec context;
    private final TransferLanes lanes;
    private final StateLayout state;
    private final long stateAddress;
    private final CounterAddresses counters;
    private final Optional<ToIntFunction<String>> tracing;

    /** The parts of each block. */
    private final List<List<Part>> blocks = new ArrayList<>();

    /**
     * A part of a block.
     *
     * @param words its words
     * @param port the words of its port channel; none if it uses none
     */
    private record Part(List<Long> words, List<Long> port) {}

    private TransferTable(
            ContextSpec context,
            TransferLanes lanes,
            StateLayout state,
            long stateAddress,
            Optional<ToIntFunction<String>> tracing) {
        this.context = context;
        this.lanes = lanes;
        this.state = state;
        this.stateAddress = stateAddress;
        this.counters = new CounterAddresses(context);
        this.tracing = tracing;
    }

    /**
     * Creates the table of a batch.
     *
     * @param stateAddress address of the context's state on the device
     * @param tracing returns the number of an operation with a name; empty without tracing
     * @throws UnsupportedException if the memory of a peer of this node is not mapped
     */
    public static TransferTable of(
            ContextSpec context,
            TransferSpec spec,
            StateLayout state,
            long stateAddress,
            Optional<ToIntFunction<String>> tracing) {
        TransferTable table = new TransferTable(context, spec.lanes(), state, stateAddress, tracing);
        for (TransferSpec.LaneShare share : spec.laneShares()) {
            table.blocks.add(share.transfers().stream()
                    .map(transfer -> table.part(transfer, share.lane()))
                    .toList());
        }
        for (List<TransferSpec.LocalCopy> share : spec.copyShares()) {
            table.blocks.add(share.stream().map(table::part).toList());
        }
        spec.signals().forEach(signal -> table.blocks.add(List.of(table.part(signal))));
        return table;
    }

    /** Creates the table of an access to the memory of another node; see the other {@code of}. */
    public static TransferTable of(
            ContextSpec context,
            RemoteAccess access,
            StateLayout state,
            long stateAddress,
            Optional<ToIntFunction<String>> tracing) {
        TransferTable table = new TransferTable(context, access.lanes(), state, stateAddress, tracing);
        table.blocks.add(List.of(access.puts() ? table.put(access) : table.get(access)));
        return table;
    }

    /** The first word of a part. */
    private long head(long kind, String label, int peer) {
        int number = tracing.map(numbers -> numbers.applyAsInt(label)).orElse(0);
        if (number < 0 || number > MAX_NAME) {
            throw new IllegalStateException("number " + number + " of \"" + label + "\" has more than 16 bits");
        }
        return kind | (long) number << NAME_SHIFT | (long) peer << Integer.SIZE;
    }

    private Part part(TransferSpec.LocalCopy copy) {
        return new Part(
                List.of(head(COPY, copy.label(), 0), copy.source(), copy.bytes(), 0L, copy.destination(), 0L, 0L, 0L),
                List.of());
    }

    private Part part(Transfer transfer, int lane) {
        int rank = context.rank();
        int peer = transfer.peer();
        boolean sends = transfer.sends();
        long head = head(sends ? SEND : RECEIVE, transfer.label(), peer);
        int channel = lanes.channel(rank, peer, lane, sends);
        long inbox = sends ? slot(lanes.inboxSlot(peer, rank, lane)) : slot(lanes.inboxSlot(rank, peer, lane));
        if (lanes.isMapped(rank, peer)) {
            long first = scratch(sends ? peer : rank) + inbox;
            return mapped(head, transfer.address(), transfer.bytes(), lane, first, channel);
        }
        PortBinding port = context.ports().get(channel);
        long from = sends ? slot(lanes.outboxSlot(rank, peer, lane)) : inbox;
        return throughPort(
                List.of(head, transfer.address(), transfer.bytes(), (long) lane),
                from,
                channel,
                ids(port, port.peerScratchId()),
                inbox,
                0);
    }

    private Part part(TransferSpec.Signal signal) {
        int rank = context.rank();
        int peer = signal.peer();
        long head = head(signal.sends() ? SIGNAL : TAKE, signal.toString(), peer);
        int channel = lanes.channel(rank, peer, WindowLanes.SIGNALS, signal.sends());
        return lanes.isMapped(rank, peer)
                ? mapped(head, 0, 0, WindowLanes.SIGNALS, 0, channel)
                : throughPort(
                        List.of(head, 0L, 0L, 0L),
                        0,
                        channel,
                        ids(context.ports().get(channel), 0),
                        0,
                        0);
    }

    private Part put(RemoteAccess access) {
        int rank = context.rank();
        int channel = lanes.channel(rank, access.peer(), WindowLanes.SIGNALS, true);
        return throughPort(
                List.of(head(PUT, access.label(), access.peer()), access.address(), access.bytes(), 0L),
                slot(lanes.outboxSlot(rank, access.peer(), WindowLanes.SIGNALS)),
                channel,
                ids(context.ports().get(channel), access.memoryId()),
                access.offset(),
                0);
    }

    private Part get(RemoteAccess access) {
        int rank = context.rank();
        int channel = lanes.channel(rank, access.peer(), WindowLanes.GETS, false);
        PortBinding port = context.ports().get(channel);
        return throughPort(
                List.of(head(GET, access.label(), access.peer()), access.address(), access.bytes(), 0L),
                slot(lanes.inboxSlot(rank, access.peer(), WindowLanes.GETS)),
                channel,
                ids(port, port.peerScratchId()),
                slot(lanes.outboxSlot(access.peer(), rank, WindowLanes.GETS)),
                access.offset());
    }

    private Part mapped(long head, long address, long bytes, int lane, long firstSlot, int channel) {
        return new Part(
                List.of(
                        head,
                        address,
                        bytes,
                        (long) lane,
                        firstSlot,
                        counters.own(ChannelType.MEMORY, channel),
                        counters.ofPeer(channel),
                        stateAddress + state.awaited(ChannelType.MEMORY, channel)),
                List.of());
    }

    /**
     * A part that uses a port channel.
     *
     * @param first its first words
     * @param from offset of its first slot in this rank's scratch, in bytes
     * @param ids semaphore, source and destination of copies
     * @param to offset of the slot's copy in the destination, in bytes
     * @param owned offset of the bytes of a get in the owner's memory
     */
    private Part throughPort(List<Long> first, long from, int channel, long ids, long to, long owned) {
        List<Long> words = new ArrayList<>(first);
        words.set(0, first.getFirst() | THROUGH_PORT);
        words.add(context.scratch().address() + from);
        words.add(counters.own(ChannelType.PORT, channel));
        words.add(0L); // PORT_POSITION
        words.add(stateAddress + state.awaited(ChannelType.PORT, channel));
        return new Part(words, List.of(stateAddress + state.ring(channel), ids, from, to, owned));
    }

    private static long ids(PortBinding port, int destination) {
        long mask = 0xffff;
        return port.semaphoreId() | (port.scratchId() & mask) << 16 | (destination & mask) << 32;
    }

    /** Returns the offset of a slot in the scratch of its rank, in bytes. */
    private long slot(int slot) {
        return slot * lanes.slotBytes();
    }

    private long scratch(int owner) {
        return owner == context.rank()
                ? context.scratch().address()
                : context.peers()
                        .get(owner)
                        .scratch()
                        .orElseThrow(() -> new UnsupportedException("rank " + context.rank() + ": the memory of rank "
                                + owner + " is not mapped here; point-to-point between GPUs of a node needs peer"
                                + " access"));
    }

    /** Number of blocks. */
    public int blocks() {
        return blocks.size();
    }

    /** The words. */
    public long[] words() {
        List<Part> parts = blocks.stream().flatMap(List::stream).toList();
        int portsAt = 2 * blocks.size() + COMMON_WORDS + parts.size() * PART_WORDS;
        int ports = parts.stream().mapToInt(part -> part.port().size()).sum();
        long[] words = new long[portsAt + ports];
        int at = blocks.size();
        words[at++] = lanes.lanes();
        words[at++] = lanes.slots();
        words[at++] = lanes.slotBytes();
        for (int block = 0; block < blocks.size(); block++) {
            words[block] = at;
            words[at++] = blocks.get(block).size();
            for (Part part : blocks.get(block)) {
                copy(part.words(), words, at);
                if (!part.port().isEmpty()) {
                    words[at + PORT_POSITION] = portsAt;
                    copy(part.port(), words, portsAt);
                    portsAt += part.port().size();
                }
                at += PART_WORDS;
            }
        }
        return words;
    }

    private static void copy(List<Long> from, long[] to, int at) {
        for (int i = 0; i < from.size(); i++) {
            to[at + i] = from.get(i);
        }
    }
}

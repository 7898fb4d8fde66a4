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
import org.mscclj.spi.transfer.Transfer;
import org.mscclj.spi.transfer.TransferLanes;
import org.mscclj.spi.transfer.TransferSpec;

/**
 * The numbers of a batch of point-to-point transfers, in words of 64 bits, as defined in {@code transfer.cuh}. A block
 * executes one lane of one direction between two ranks.
 */
public final class TransferTable {
    private static final int COMMON_WORDS = 3;
    private static final int PART_WORDS = 8;
    private static final long RECEIVE = 0;
    private static final long SEND = 1;
    private static final long COPY = 2;
    private static final long SIGNAL = 3;
    private static final long TAKE = 4;

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
    private final List<List<long[]>> blocks = new ArrayList<>();

    private TransferTable(
            ContextSpec context,
            TransferSpec spec,
            StateLayout state,
            long stateAddress,
            Optional<ToIntFunction<String>> tracing) {
        this.context = context;
        this.lanes = spec.lanes();
        this.state = state;
        this.stateAddress = stateAddress;
        this.counters = new CounterAddresses(context);
        this.tracing = tracing;
        for (TransferSpec.LaneShare share : spec.laneShares()) {
            blocks.add(share.transfers().stream()
                    .map(transfer -> part(transfer, share.lane()))
                    .toList());
        }
        for (List<TransferSpec.LocalCopy> share : spec.copyShares()) {
            blocks.add(share.stream()
                    .map(copy -> new long[] {
                        COPY | nameBits(copy.label()), copy.source(), copy.bytes(), 0, copy.destination(), 0, 0, 0
                    })
                    .toList());
        }
        spec.signals().forEach(signal -> blocks.add(List.of(part(signal))));
    }

    /**
     * Creates the table of a batch.
     *
     * @param stateAddress address of the context's state on the device
     * @param tracing returns the number of an operation with a name; empty without tracing
     * @throws UnsupportedException if a peer's memory is not mapped
     */
    public static TransferTable of(
            ContextSpec context,
            TransferSpec spec,
            StateLayout state,
            long stateAddress,
            Optional<ToIntFunction<String>> tracing) {
        return new TransferTable(context, spec, state, stateAddress, tracing);
    }

    /** The bits of a part's first word that name it in a trace. */
    private long nameBits(String label) {
        int number = tracing.map(numbers -> numbers.applyAsInt(label)).orElse(0);
        if (number < 0 || number > MAX_NAME) {
            throw new IllegalStateException("number " + number + " of \"" + label + "\" has more than 16 bits");
        }
        return (long) number << NAME_SHIFT;
    }

    private long[] part(Transfer transfer, int lane) {
        int rank = context.rank();
        int peer = transfer.peer();
        boolean sends = transfer.sends();
        requireMapped(peer);
        int channel = lanes.channel(rank, peer, lane, sends);
        int slot = sends ? lanes.inboxSlot(peer, rank, lane) : lanes.inboxSlot(rank, peer, lane);
        return new long[] {
            (sends ? SEND : RECEIVE) | nameBits(transfer.label()) | (long) peer << Integer.SIZE,
            transfer.address(),
            transfer.bytes(),
            lane,
            scratch(sends ? peer : rank) + slot * lanes.slotBytes(),
            counters.own(ChannelType.MEMORY, channel),
            counters.ofPeer(channel),
            stateAddress + state.awaited(ChannelType.MEMORY, channel)
        };
    }

    private long[] part(TransferSpec.Signal signal) {
        int peer = signal.peer();
        requireMapped(peer);
        int channel = lanes.channel(context.rank(), peer, 0, signal.sends());
        return new long[] {
            (signal.sends() ? SIGNAL : TAKE) | nameBits(signal.toString()) | (long) peer << Integer.SIZE,
            0,
            0,
            0,
            0,
            counters.own(ChannelType.MEMORY, channel),
            counters.ofPeer(channel),
            stateAddress + state.awaited(ChannelType.MEMORY, channel)
        };
    }

    private void requireMapped(int peer) {
        int rank = context.rank();
        if (!lanes.isMapped(rank, peer)) {
            throw new UnsupportedException(
                    "rank " + rank + " cannot send to rank " + peer
                            + " or receive from it: point-to-point between GPUs of different nodes is not supported yet; use collectives");
        }
    }

    private long scratch(int owner) {
        return owner == context.rank()
                ? context.scratch().address()
                : context.peers()
                        .get(owner)
                        .scratch()
                        .orElseThrow(() -> new UnsupportedException("rank " + context.rank() + ": the memory of rank "
                                + owner + " is not mapped here; point-to-point between GPUs needs peer access"));
    }

    /** Number of blocks. */
    public int blocks() {
        return blocks.size();
    }

    /** The words. */
    public long[] words() {
        int parts = blocks.stream().mapToInt(List::size).sum();
        long[] words = new long[2 * blocks.size() + COMMON_WORDS + parts * PART_WORDS];
        int at = blocks.size();
        words[at++] = lanes.lanes();
        words[at++] = lanes.slots();
        words[at++] = lanes.slotBytes();
        for (int block = 0; block < blocks.size(); block++) {
            words[block] = at;
            words[at++] = blocks.get(block).size();
            for (long[] part : blocks.get(block)) {
                System.arraycopy(part, 0, words, at, PART_WORDS);
                at += PART_WORDS;
            }
        }
        return words;
    }
}

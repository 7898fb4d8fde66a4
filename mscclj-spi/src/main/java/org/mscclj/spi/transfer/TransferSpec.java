package org.mscclj.spi.transfer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * The transfers of one launch, which run concurrently: sends and receives, which run in order for each peer and
 * direction; copies; and signals.
 *
 * @param lanes the lanes of the context
 * @param transfers sends and receives, none with this rank itself as its peer
 * @param copies transfers from this rank to itself, and its reads and writes of other ranks' memory
 * @param signals signals between ranks, in a context whose lanes have no sends and receives
 * @param ofAllRanks whether all ranks make the launch, also ranks without data to move, so that it counts as a launch
 *     of all ranks
 */
public record TransferSpec(
        TransferLanes lanes,
        List<Transfer> transfers,
        List<LocalCopy> copies,
        List<Signal> signals,
        boolean ofAllRanks) {
    private static final long MIN_PIECE = 64 << 10;
    private static final long PIECE_ALIGNMENT = 128;

    /**
     * A copy of memory that this rank's device reaches.
     *
     * @param source address of its bytes
     * @param destination address of the destination; equal to the source, or not overlapping
     * @param bytes its size
     */
    public record LocalCopy(long source, long destination, long bytes) {
        /** Its name in traces. */
        public String label() {
            return "copy";
        }
    }

    /**
     * The work of one block: the transfers of one direction between two ranks that have chunks on one lane, one after
     * the other.
     *
     * @param peer the other rank
     * @param sends whether this rank sends
     * @param lane the lane, whose number is the index of its first chunk of each transfer
     * @param transfers the transfers, in order
     */
    public record LaneShare(int peer, boolean sends, int lane, List<Transfer> transfers) {
        /** Copies the list. */
        public LaneShare {
            transfers = List.copyOf(transfers);
        }
    }

    /**
     * A signal between two ranks.
     *
     * @param peer the other rank
     * @param sends whether this rank signals, or waits for a signal and consumes it
     */
    public record Signal(int peer, boolean sends) {
        /** For messages and traces, for example "wait for a signal from rank 1". */
        @Override
        public String toString() {
            return (sends ? "signal to rank " : "wait for a signal from rank ") + peer;
        }
    }

    private record Way(int peer, boolean sends) {}

    /** Copies the lists. */
    public TransferSpec {
        transfers = List.copyOf(transfers);
        copies = List.copyOf(copies);
        signals = List.copyOf(signals);
    }

    /** The copies of each block: large copies are cut into pieces, so that several blocks carry them out. */
    public List<List<LocalCopy>> copyShares() {
        List<List<LocalCopy>> shares = new ArrayList<>();
        for (LocalCopy copy : copies) {
            long pieces = Math.clamp(Math.ceilDiv(copy.bytes(), MIN_PIECE), 1, lanes.copyBlocks());
            long step = Math.ceilDiv(Math.ceilDiv(copy.bytes(), pieces), PIECE_ALIGNMENT) * PIECE_ALIGNMENT;
            int share = 0;
            for (long from = 0; from < copy.bytes(); from += step) {
                if (share == shares.size()) {
                    shares.add(new ArrayList<>());
                }
                shares.get(share++)
                        .add(new LocalCopy(
                                copy.source() + from, copy.destination() + from, Math.min(step, copy.bytes() - from)));
            }
        }
        return shares;
    }

    /** The transfers of a launch that other ranks need not make. */
    public TransferSpec(TransferLanes lanes, List<Transfer> transfers, List<LocalCopy> copies, List<Signal> signals) {
        this(lanes, transfers, copies, signals, false);
    }

    /** The shares of all lanes with data to move, so that no transfer waits for a transfer on another lane. */
    public List<LaneShare> laneShares() {
        Map<Way, List<Transfer>> ways = new LinkedHashMap<>();
        for (Transfer transfer : transfers) {
            ways.computeIfAbsent(new Way(transfer.peer(), transfer.sends()), _ -> new ArrayList<>())
                    .add(transfer);
        }
        List<LaneShare> shares = new ArrayList<>();
        ways.forEach((way, ofWay) -> {
            for (int lane = 0; lane < lanes.lanes(); lane++) {
                long number = lane;
                List<Transfer> onLane = ofWay.stream()
                        .filter(transfer -> number < lanes.chunks(transfer.bytes()))
                        .toList();
                if (!onLane.isEmpty()) {
                    shares.add(new LaneShare(way.peer(), way.sends(), lane, onLane));
                }
            }
        });
        return shares;
    }

    /**
     * The transfers and signals that have not ended, of a launch of which some blocks have ended.
     *
     * @param hasEnded whether a block has ended; the blocks of {@link #laneShares}, {@link #copyShares} and
     *     {@link #signals} are numbered one after the other
     */
    public List<PendingTransfer> pending(IntPredicate hasEnded) {
        Set<Transfer> moving = new LinkedHashSet<>();
        int block = 0;
        for (LaneShare share : laneShares()) {
            if (!hasEnded.test(block++)) {
                moving.addAll(share.transfers());
            }
        }
        List<PendingTransfer> pending = new ArrayList<>();
        moving.forEach(transfer -> pending.add(PendingTransfer.of(transfer)));
        block += copyShares().size();
        for (Signal signal : signals) {
            if (!hasEnded.test(block++)) {
                pending.add(PendingTransfer.of(signal));
            }
        }
        return pending;
    }
}

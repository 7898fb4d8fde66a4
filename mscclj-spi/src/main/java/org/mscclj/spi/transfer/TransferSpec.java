package org.mscclj.spi.transfer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A batch of messages that one launch moves, all at the same time; those between the same two ranks, in the same direction, one after the other.
 *
 * @param lanes the lanes of the context
 * @param transfers none of them with this rank itself as its peer
 * @param copies messages from this rank to itself
 */
public record TransferSpec(TransferLanes lanes, List<Transfer> transfers, List<LocalCopy> copies) {
    /**
     * A message from a rank to itself.
     *
     * @param source address of its bytes
     * @param destination address of where they shall be; equal to the source, or not overlapping
     * @param bytes its size
     */
    public record LocalCopy(long source, long destination, long bytes) {}

    /**
     * What one block carries out: the messages of one direction between two ranks that have chunks on one lane, one after the other.
     *
     * @param peer the other rank
     * @param sends whether this rank sends
     * @param lane the lane, whose number is that of its first chunk of each message
     * @param transfers the messages, in order
     */
    public record LaneShare(int peer, boolean sends, int lane, List<Transfer> transfers) {
        /** Copies the list. */
        public LaneShare {
            transfers = List.copyOf(transfers);
        }
    }

    private record Way(int peer, boolean sends) {}

    /** Copies the lists. */
    public TransferSpec {
        transfers = List.copyOf(transfers);
        copies = List.copyOf(copies);
    }

    /** All lanes that have something to move, so that no message waits for another one on another lane. */
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
}

package org.mscclj.spi.transfer;

import java.util.List;

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

    /** Copies the lists. */
    public TransferSpec {
        transfers = List.copyOf(transfers);
        copies = List.copyOf(copies);
    }
}

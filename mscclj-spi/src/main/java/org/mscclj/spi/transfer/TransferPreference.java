package org.mscclj.spi.transfer;

import java.util.List;

/**
 * Which lanes serve messages best on a kind of device; equal on all ranks.
 *
 * @param lanes of each ordered pair of ranks
 * @param slots of each lane
 * @param slotBytes size of a slot where there are few peers
 * @param mostBytes most scratch of a rank for what it receives, in bytes: where there are many peers, slots are smaller
 */
public record TransferPreference(int lanes, int slots, long slotBytes, long mostBytes) {
    /** Processors: a slot stays in the second-level cache between two cores. */
    public static final TransferPreference HOST = new TransferPreference(2, 4, 64 << 10, 16 << 20);

    private static final long LEAST_SLOT = 1 << 10;

    /** The lanes of a communicator whose ranks are on these nodes. */
    public TransferLanes lanes(List<Integer> nodes) {
        long slotsOfRank = (long) Math.max(1, nodes.size() - 1) * lanes * slots;
        long most = Long.highestOneBit(Math.max(LEAST_SLOT, mostBytes / slotsOfRank));
        return new TransferLanes(nodes, lanes, slots, Math.min(slotBytes, most));
    }
}

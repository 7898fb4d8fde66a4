package org.mscclj.spi.transfer;

import java.util.List;

/**
 * The lanes that are fastest for point-to-point transfers on a kind of device; equal on all ranks.
 *
 * @param lanes largest number of lanes of each ordered pair of ranks
 * @param lanesOfRank largest number of lanes on which a rank sends: with many peers, each peer has fewer, but at least
 *     one
 * @param slots number of slots of each lane
 * @param slotBytes largest size of a slot, in bytes
 * @param inboxBytes largest size of a rank's scratch for receives, in bytes: with many peers, slots are smaller
 */
public record TransferPreference(int lanes, int lanesOfRank, int slots, long slotBytes, long inboxBytes) {
    /** For processors: a slot stays in the second-level cache between two cores. */
    public static final TransferPreference HOST = new TransferPreference(2, 64, 4, 64 << 10, 16 << 20);

    /**
     * For GPUs: enough blocks to saturate a link, and slots that are large enough to amortize a wait for the other end.
     */
    public static final TransferPreference GPU = new TransferPreference(16, 32, 4, 128 << 10, 16 << 20);

    private static final long MIN_SLOT = 1 << 10;

    /** The lanes of a communicator whose ranks are on these nodes. */
    public TransferLanes lanes(List<Integer> nodes) {
        return lanes(nodes, Math.clamp(lanesOfRank / peers(nodes), 1, lanes));
    }

    private TransferLanes lanes(List<Integer> nodes, int lanesOfPair) {
        long slot = Long.highestOneBit(inboxBytes / ((long) peers(nodes) * lanesOfPair * slots));
        return new TransferLanes(nodes, lanesOfPair, slots, Math.clamp(slot, MIN_SLOT, slotBytes), lanes);
    }

    private static int peers(List<Integer> nodes) {
        return Math.max(1, nodes.size() - 1);
    }

    /** Lanes of a window that is accessed between these nodes; see {@link WindowLanes}. */
    public TransferLanes accesses(List<Integer> nodes) {
        return lanes(nodes, WindowLanes.COUNT);
    }

    /** Lanes that are used for signals only, of a window whose ranks are on these nodes. */
    public TransferLanes signals(List<Integer> nodes) {
        return new TransferLanes(nodes, 1, 1, MIN_SLOT, lanes);
    }
}

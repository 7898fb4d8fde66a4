package org.mscclj.api.bootstrap;

import org.mscclj.api.error.InvalidArgumentException;

/**
 * Who a rank is.
 *
 * @param rank this rank, from 0
 * @param size number of ranks
 * @param localRank its position among the ranks of its host, from 0; it chooses the device
 * @param ranksPerNode ranks on each node
 */
public record RankPosition(int rank, int size, int localRank, int ranksPerNode) {
    /** Checks the numbers. */
    public RankPosition {
        if (size < 1) {
            throw InvalidArgumentException.of("number of ranks", size, "1 or more");
        }
        if (rank < 0 || rank >= size) {
            throw InvalidArgumentException.of("rank", rank, "0 to " + (size - 1) + ", since there are " + size);
        }
        if (ranksPerNode < 1 || size % ranksPerNode != 0) {
            throw InvalidArgumentException.of("ranks per node", ranksPerNode, "a divisor of " + size);
        }
        if (localRank < 0) {
            throw InvalidArgumentException.of("local rank", localRank, "0 or more");
        }
    }

    /** A rank on one node with all others. */
    public static RankPosition of(int rank, int size) {
        return new RankPosition(rank, size, rank, Math.max(size, 1));
    }

    /** With nodes of the given number of ranks, and the position that follows from it when ranks are numbered node by node. */
    public RankPosition withRanksPerNode(int number) {
        return new RankPosition(rank, size, number < 1 ? localRank : rank % number, number);
    }

    /** With the given position on its host. */
    public RankPosition withLocalRank(int position) {
        return new RankPosition(rank, size, position, ranksPerNode);
    }
}

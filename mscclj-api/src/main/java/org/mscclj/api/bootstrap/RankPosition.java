package org.mscclj.api.bootstrap;

import java.util.Objects;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * The position of a rank in its group and on its host.
 *
 * @param rank this rank, from 0
 * @param size number of ranks
 * @param localRank its position among the ranks of its host, from 0; it chooses the device
 * @param ranksPerNode ranks on each node, if the options {@linkplain Placement#TOLD state} it; else the number of ranks
 * @param placement the source of the assignment of ranks to nodes
 */
public record RankPosition(int rank, int size, int localRank, int ranksPerNode, Placement placement) {
    /** Checks the numbers. */
    public RankPosition {
        Objects.requireNonNull(placement, "placement");
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

    /** A rank on nodes of the given number of ranks; with all others on a node, unless the ranks find otherwise. */
    public RankPosition(int rank, int size, int localRank, int ranksPerNode) {
        this(rank, size, localRank, ranksPerNode, ranksPerNode < size ? Placement.TOLD : Placement.FOUND);
    }

    /** A rank that finds out with which others it shares a host. */
    public static RankPosition of(int rank, int size) {
        return new RankPosition(rank, size, rank, Math.max(size, 1), Placement.FOUND);
    }

    /**
     * Returns a copy with nodes of the given number of ranks, and the position that follows from it when ranks are
     * numbered node by node.
     */
    public RankPosition withRanksPerNode(int number) {
        return new RankPosition(rank, size, number < 1 ? localRank : rank % number, number, Placement.TOLD);
    }

    /** Returns a copy for ranks that are on several hosts, as the launcher states; the ranks find out on which. */
    public RankPosition onSeveralHosts() {
        return new RankPosition(rank, size, localRank, size, Placement.FOUND_ON_SEVERAL_HOSTS);
    }

    /** Whether all ranks may be on one host, as far as this position determines it. */
    public boolean mayBeOnOneHost() {
        return placement != Placement.FOUND_ON_SEVERAL_HOSTS && ranksPerNode == size;
    }

    /** Returns a copy with the given position on its host. */
    public RankPosition withLocalRank(int position) {
        return new RankPosition(rank, size, position, ranksPerNode, placement);
    }
}

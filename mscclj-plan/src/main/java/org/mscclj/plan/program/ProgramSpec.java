package org.mscclj.plan.program;

import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;

/**
 * What a program is made for. Starts with {@link #of}, which gives the usual values; the methods named after components
 * give copies.
 *
 * @param collective what it computes
 * @param ranks number of ranks
 * @param ranksPerNode ranks that share a node: rank {@code r} is on node {@code r / ranksPerNode}. Programs of one
 *     level make no difference
 * @param root where a broadcast or scatter starts, or where a reduce or gather ends; 0 for other collectives
 * @param inPlace whether input and output share memory as the collective's in-place form does
 * @param blocks thread blocks of each rank; each takes an equal share of every range that it has a part in
 * @param bounded whether operations keep to what MSCCL++'s executor has room for, as {@code AlgoSpec.boundedFusion}
 *     says. Our engines know no bounds, and a sum that is cut in two is rounded twice
 */
public record ProgramSpec(
        Collective collective, int ranks, int ranksPerNode, int root, boolean inPlace, int blocks, boolean bounded) {
    /** Blocks of a launch run side by side, and none of our devices runs so many. */
    private static final int MOST_BLOCKS = 1024;

    /** Checks the numbers. */
    public ProgramSpec {
        if (ranks < 1) {
            throw InvalidArgumentException.of("ranks", ranks, "1 or more");
        }
        if (ranksPerNode < 1 || ranks % ranksPerNode != 0) {
            throw InvalidArgumentException.of(
                    "ranks per node", ranksPerNode, "a divisor of the number of ranks, " + ranks);
        }
        int last = collective.hasRoot() ? ranks - 1 : 0;
        if (root < 0 || root > last) {
            throw InvalidArgumentException.of("root of " + collective, root, last == 0 ? "0" : "0 to " + last);
        }
        if (blocks < 1 || blocks > MOST_BLOCKS) {
            throw InvalidArgumentException.of("thread blocks", blocks, "1 to " + MOST_BLOCKS);
        }
    }

    /** Without bounds. */
    public ProgramSpec(Collective collective, int ranks, int ranksPerNode, int root, boolean inPlace, int blocks) {
        this(collective, ranks, ranksPerNode, root, inPlace, blocks, false);
    }

    /** Out of place, without bounds, by one block of each rank, all of one node, with root 0. */
    public static ProgramSpec of(Collective collective, int ranks) {
        return new ProgramSpec(collective, ranks, Math.max(1, ranks), 0, false, 1);
    }

    /** The same, with so many ranks on each node. */
    public ProgramSpec ranksPerNode(int count) {
        return new ProgramSpec(collective, ranks, count, root, inPlace, blocks, bounded);
    }

    /** The same, with another root. */
    public ProgramSpec root(int rank) {
        return new ProgramSpec(collective, ranks, ranksPerNode, rank, inPlace, blocks, bounded);
    }

    /** The same, in place or out of place. */
    public ProgramSpec inPlace(boolean shared) {
        return new ProgramSpec(collective, ranks, ranksPerNode, root, shared, blocks, bounded);
    }

    /** The same, with so many blocks of each rank. */
    public ProgramSpec blocks(int count) {
        return new ProgramSpec(collective, ranks, ranksPerNode, root, inPlace, count, bounded);
    }

    /** The same, with operations that keep to what MSCCL++'s executor has room for, or not. */
    public ProgramSpec bounded(boolean forMscclpp) {
        return new ProgramSpec(collective, ranks, ranksPerNode, root, inPlace, blocks, forMscclpp);
    }

    /** Number of nodes. */
    public int nodes() {
        return ranks / ranksPerNode;
    }

    /**
     * The name of the plan: it tells programs with different specifications apart, but not those with and without
     * bounds, which compute the same.
     */
    String planName(String program) {
        return collective + "_" + program + "_" + ranks + "ranks"
                + (nodes() == 1 ? "" : "_" + nodes() + "nodes")
                + (root == 0 ? "" : "_root" + root)
                + (blocks == 1 ? "" : "_" + blocks + "blocks")
                + (inPlace ? "_inplace" : "");
    }
}

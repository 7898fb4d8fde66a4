package org.mscclj.language.program;

import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;

/**
 * The specification of a shipped program. {@link #of} returns the defaults; the methods named after components return
 * modified copies.
 *
 * @param collective the collective
 * @param ranks number of ranks
 * @param ranksPerNode ranks on each node: rank {@code r} is on node {@code r / ranksPerNode}. Programs of one level
 *     ignore it
 * @param root root of a broadcast, scatter, reduce or gather; 0 for other collectives
 * @param inPlace whether input and output share memory as the collective's in-place form does
 * @param blocks thread blocks of each rank; each handles an equal share of every range in which it takes part
 * @param threads the most threads of a block on a GPU; 0 for the engine's number
 * @param bounded whether operations keep the limits of MSCCL++'s executor, as in {@code AlgoSpec.boundedFusion}. The
 *     engines of this project have no such limits, and a sum that is split in two is rounded twice
 */
public record ProgramSpec(
        Collective collective,
        int ranks,
        int ranksPerNode,
        int root,
        boolean inPlace,
        int blocks,
        int threads,
        boolean bounded) {
    /** Blocks of a launch run concurrently, and no supported device runs more. */
    private static final int MAX_BLOCKS = 1024;

    /** Lines of packets are sent by whole warps. */
    private static final int MIN_THREADS = 32;

    private static final int MAX_THREADS = 1024;

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
        if (blocks < 1 || blocks > MAX_BLOCKS) {
            throw InvalidArgumentException.of("thread blocks", blocks, "1 to " + MAX_BLOCKS);
        }
        if (threads != 0 && (threads < MIN_THREADS || threads > MAX_THREADS)) {
            throw InvalidArgumentException.of(
                    "threads of a block",
                    threads,
                    MIN_THREADS + " to " + MAX_THREADS + ", or 0 for the engine's number");
        }
    }

    /** A specification without bounds, and with the engine's number of threads. */
    public ProgramSpec(Collective collective, int ranks, int ranksPerNode, int root, boolean inPlace, int blocks) {
        this(collective, ranks, ranksPerNode, root, inPlace, blocks, 0, false);
    }

    /** Defaults: out of place, without bounds, one block for each rank, all ranks on one node, root 0. */
    public static ProgramSpec of(Collective collective, int ranks) {
        return new ProgramSpec(collective, ranks, Math.max(1, ranks), 0, false, 1);
    }

    /** This specification with another number of ranks on each node. */
    public ProgramSpec ranksPerNode(int count) {
        return new ProgramSpec(collective, ranks, count, root, inPlace, blocks, threads, bounded);
    }

    /** This specification with another root. */
    public ProgramSpec root(int rank) {
        return new ProgramSpec(collective, ranks, ranksPerNode, rank, inPlace, blocks, threads, bounded);
    }

    /** This specification in place or out of place. */
    public ProgramSpec inPlace(boolean shared) {
        return new ProgramSpec(collective, ranks, ranksPerNode, root, shared, blocks, threads, bounded);
    }

    /** This specification with another number of blocks of each rank. */
    public ProgramSpec blocks(int count) {
        return new ProgramSpec(collective, ranks, ranksPerNode, root, inPlace, count, threads, bounded);
    }

    /** This specification with another number of threads of each block; 0 for the engine's number. */
    public ProgramSpec threads(int most) {
        return new ProgramSpec(collective, ranks, ranksPerNode, root, inPlace, blocks, most, bounded);
    }

    /** This specification with or without the limits of MSCCL++'s executor. */
    public ProgramSpec bounded(boolean forMscclpp) {
        return new ProgramSpec(collective, ranks, ranksPerNode, root, inPlace, blocks, threads, forMscclpp);
    }

    /** Number of nodes. */
    public int nodes() {
        return ranks / ranksPerNode;
    }

    /**
     * The name of the plan. It differs between specifications, except for the limits, which do not change the result.
     */
    String planName(String program) {
        return collective + "_" + program + "_" + ranks + "ranks"
                + (nodes() == 1 ? "" : "_" + nodes() + "nodes")
                + (root == 0 ? "" : "_root" + root)
                + (blocks == 1 ? "" : "_" + blocks + "blocks")
                + (threads == 0 ? "" : "_" + threads + "threads")
                + (inPlace ? "_inplace" : "");
    }
}

package org.mscclj.plan.program;

import java.util.List;
import org.mscclj.plan.Plan;
import org.mscclj.plan.language.Chunk;
import org.mscclj.plan.program.Programs.Memory;

/**
 * For buffers that peers cannot access: only scratch is stored into, or read, by others.
 *
 * <p>With two halves one exchange of signals is enough: who starts launch {@code i + 2} has been told by every peer in launch {@code i + 1} that it had
 * ended launch {@code i}, so nobody uses the half of launch {@code i} any more. An allreduce has two exchanges, and one half does: who stores
 * contributions has had every peer's result of the launch before, and who stores results every peer's contribution of this one.
 */
final class ScratchPrograms {
    private ScratchPrograms() {}

    static Plan plan(String name, ProgramSpec spec) {
        int ranks = spec.ranks();
        return switch (spec.collective()) {
            case ALLREDUCE -> Programs.build(name, Memory.once(ranks, 2 * ranks), spec, ScratchPrograms::allReduce);
            case REDUCESCATTER -> Programs.build(name, Memory.twice(ranks), spec, ScratchPrograms::reduceScatter);
            case ALLGATHER -> Programs.build(name, Memory.twice(1), spec, ScratchPrograms::allGather);
            case ALLTOALL -> Programs.build(name, Memory.twice(ranks), spec, ScratchPrograms::allToAll);
            case BROADCAST -> Programs.build(name, Memory.twice(1), spec, ScratchPrograms::broadcast);
            default -> throw new IllegalStateException(name + " of " + spec.collective());
        };
    }

    /** Contributions to a rank's chunk go to that rank, into slots 0 to n − 1; its result goes to all, into slot n + rank. */
    private static void allReduce(RankBlock block) {
        int rank = block.rank();
        int ranks = block.ranks();
        Chunk result = block.output(rank);
        putParts(block);
        block.meet(block.peers());
        block.reduce(block.inRankOrder(rank), result);
        for (int peer : block.peers()) {
            block.memory(peer).put(block.scratchOf(peer, ranks + rank), result, block.share());
        }
        block.meet(block.peers());
        for (int peer : block.peers()) {
            block.copy(block.output(peer), block.scratch(ranks + peer));
        }
    }

    private static void reduceScatter(RankBlock block) {
        putParts(block);
        block.meet(block.peers());
        block.reduce(block.inRankOrder(block.rank()), block.output(0));
    }

    /** Stores each peer's chunk of the input into that peer's scratch. */
    private static void putParts(RankBlock block) {
        for (int peer : block.peers()) {
            block.memory(peer).put(block.scratchOf(peer, block.rank()), block.input(peer), block.share());
        }
    }

    private static void allGather(RankBlock block) {
        block.copy(block.scratch(0), block.input(0));
        block.keep(0, block.rank());
        block.meet(block.peers());
        readAll(block, 0);
    }

    private static void allToAll(RankBlock block) {
        for (int peer : block.peers()) {
            block.copy(block.scratch(peer), block.input(peer));
        }
        block.keep(block.rank(), block.rank());
        block.meet(block.peers());
        readAll(block, block.rank());
    }

    private static void readAll(RankBlock block, int slot) {
        for (int peer : block.peers()) {
            block.memory(peer).get(block.output(peer), block.scratchOf(peer, slot), block.share());
        }
    }

    /** The root ends when its peers have launched: so it knows that they have read what it sent in the launch before. */
    private static void broadcast(RankBlock block) {
        if (block.isRoot()) {
            block.copy(block.scratch(0), block.input(0));
            block.signal(block.peers());
            block.keep(0, 0);
            block.awaitReady(block.peers());
        } else {
            int root = block.root();
            block.tellReady(List.of(root));
            block.await(List.of(root));
            block.memory(root).get(block.output(0), block.scratchOf(root, 0), block.share());
        }
    }
}

package org.mscclj.language.program;

import java.util.List;
import org.mscclj.language.Chunk;
import org.mscclj.language.program.Programs.Memory;
import org.mscclj.plan.Plan;

/**
 * Programs for buffers that peers cannot access: peers read and write scratch only.
 *
 * <p>With two halves, one exchange of signals suffices: a rank that begins launch {@code i + 2} has received signals
 * from every peer in launch {@code i + 1}, which say that the peer had ended launch {@code i}, so the half of launch
 * {@code i} is free. An allreduce has two exchanges, and one half suffices: a rank that stores contributions has
 * received every peer's result of the launch before, and a rank that stores results has received every peer's
 * contribution of this launch.
 *
 * <p>If data moves in one direction only, between a root and its peers, the rank that is read from or stored for
 * signals the other side that it has launched. The other side thus knows, before the launch after, that its scratch of
 * the launch before has been read.
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
            case SCATTER -> Programs.build(name, Memory.twice(1), spec, ScratchPrograms::scatter);
            case REDUCE -> Programs.build(name, Memory.twice(ranks), spec, ScratchPrograms::reduce);
            case GATHER -> Programs.build(name, Memory.twice(1), spec, ScratchPrograms::gather);
            default -> throw new IllegalStateException(name + " of " + spec.collective());
        };
    }

    /**
     * Contributions to a rank's chunk go to that rank, into slots 0 to n − 1; its result goes to all ranks, into slot n
     * + rank.
     */
    private static void allReduce(RankBlock block) {
        int rank = block.rank();
        int ranks = block.ranks();
        Chunk result = block.output(rank);
        putParts(block);
        block.exchangeSignals(block.peers());
        block.reduce(block.inRankOrder(rank), result);
        for (int peer : block.peers()) {
            block.memory(peer).put(block.scratchOf(peer, ranks + rank), result, block.share());
        }
        block.exchangeSignals(block.peers());
        for (int peer : block.peers()) {
            block.copy(block.output(peer), block.scratch(ranks + peer));
        }
    }

    private static void reduceScatter(RankBlock block) {
        putParts(block);
        block.exchangeSignals(block.peers());
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
        block.exchangeSignals(block.peers());
        readAll(block, 0);
    }

    private static void allToAll(RankBlock block) {
        for (int peer : block.peers()) {
            block.copy(block.scratch(peer), block.input(peer));
        }
        block.keep(block.rank(), block.rank());
        block.exchangeSignals(block.peers());
        readAll(block, block.rank());
    }

    private static void readAll(RankBlock block, int slot) {
        for (int peer : block.peers()) {
            block.memory(peer).get(block.output(peer), block.scratchOf(peer, slot), block.share());
        }
    }

    private static void broadcast(RankBlock block) {
        if (block.isRoot()) {
            block.copy(block.scratch(0), block.input(0));
            block.signal(block.peers());
            block.keep(0, 0);
            block.awaitReady(block.peers());
        } else {
            int root = block.root();
            block.signalReady(List.of(root));
            block.await(List.of(root));
            block.memory(root).get(block.output(0), block.scratchOf(root, 0), block.share());
        }
    }

    private static void scatter(RankBlock block) {
        if (block.isRoot()) {
            for (int peer : block.peers()) {
                block.memory(peer).put(block.scratchOf(peer, 0), block.input(peer), block.share());
            }
            block.signal(block.peers());
            block.keep(block.rank(), 0);
            block.awaitReady(block.peers());
        } else {
            block.signalReady(List.of(block.root()));
            block.await(List.of(block.root()));
            block.copy(block.output(0), block.scratch(0));
        }
    }

    private static void reduce(RankBlock block) {
        int root = block.root();
        if (block.isRoot()) {
            block.signalReady(block.peers());
            block.await(block.peers());
            block.reduce(block.inRankOrder(0), block.output(0));
        } else {
            block.memory(root).put(block.scratchOf(root, block.rank()), block.input(0), block.share());
            block.signal(List.of(root));
            block.awaitReady(List.of(root));
        }
    }

    private static void gather(RankBlock block) {
        if (block.isRoot()) {
            block.signalReady(block.peers());
            block.keep(0, block.rank());
            block.await(block.peers());
            readAll(block, 0);
        } else {
            block.copy(block.scratch(0), block.input(0));
            block.signal(List.of(block.root()));
            block.awaitReady(List.of(block.root()));
        }
    }
}

package org.mscclj.plan.program;

import static org.mscclj.plan.BufferType.INPUT;
import static org.mscclj.plan.BufferType.OUTPUT;
import static org.mscclj.plan.BufferType.SCRATCH;
import static org.mscclj.plan.ChannelType.MEMORY;
import static org.mscclj.plan.program.RankBlock.own;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Plan;
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
            case ALLREDUCE ->
                Programs.simple(name, new Memory(ranks, 2 * ranks, false), spec, ScratchPrograms::allReduce);
            case REDUCESCATTER -> Programs.simple(name, Memory.twice(ranks), spec, ScratchPrograms::reduceScatter);
            case ALLGATHER -> Programs.simple(name, Memory.twice(1), spec, ScratchPrograms::allGather);
            case ALLTOALL -> Programs.simple(name, Memory.twice(ranks), spec, ScratchPrograms::allToAll);
            case BROADCAST -> Programs.simple(name, Memory.twice(1), spec, ScratchPrograms::broadcast);
            default -> throw new IllegalStateException(name + " of " + spec.collective());
        };
    }

    /** Contributions to a rank's chunk go to that rank, into slots 0 to n − 1; its result goes to all, into slot n + rank. */
    private static void allReduce(RankBlock block) {
        int rank = block.rank();
        int ranks = block.ranks();
        List<ChunkRef> results = new ArrayList<>(List.of(own(OUTPUT, rank)));
        for (int peer : block.peers()) {
            results.add(block.of(peer, SCRATCH, MEMORY, ranks + rank));
        }
        block.put(DataKind.PUT, peer -> peer, rank);
        block.sketch()
                .meet(MEMORY, block.peers())
                .remote(DataKind.REDUCE_SEND, MEMORY, block.inRankOrder(rank), results)
                .meet(MEMORY, block.peers());
        block.copyForPeers(SCRATCH, ranks, OUTPUT, 0);
    }

    private static void reduceScatter(RankBlock block) {
        block.put(DataKind.PUT, peer -> peer, block.rank());
        block.sketch()
                .meet(MEMORY, block.peers())
                .local(DataKind.REDUCE, block.inRankOrder(block.rank()), List.of(own(OUTPUT, 0)));
    }

    private static void allGather(RankBlock block) {
        block.copy(INPUT, 0, SCRATCH, 0);
        block.keep(0, block.rank());
        block.sketch().meet(MEMORY, block.peers());
        block.gather(SCRATCH, 0);
    }

    private static void allToAll(RankBlock block) {
        block.copyForPeers(INPUT, 0, SCRATCH, 0);
        block.keep(block.rank(), block.rank());
        block.sketch().meet(MEMORY, block.peers());
        block.gather(SCRATCH, block.rank());
    }

    /** The root ends when its peers have launched: so it knows that they have read what it sent in the launch before. */
    private static void broadcast(RankBlock block) {
        int root = block.spec().root();
        if (block.isRoot()) {
            block.copy(INPUT, 0, SCRATCH, 0);
            block.sketch().nop().signal(MEMORY, block.peers());
            block.keep(0, 0);
            block.sketch().awaitReady(MEMORY, block.peers());
        } else {
            block.sketch()
                    .tellReady(MEMORY, root)
                    .await(MEMORY, root)
                    .nop()
                    .remote(DataKind.GET, MEMORY, List.of(block.of(root, SCRATCH, MEMORY, 0)), List.of(own(OUTPUT, 0)));
        }
    }
}

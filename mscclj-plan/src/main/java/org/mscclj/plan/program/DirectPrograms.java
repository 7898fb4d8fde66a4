package org.mscclj.plan.program;

import static org.mscclj.plan.BufferType.INPUT;
import static org.mscclj.plan.BufferType.OUTPUT;
import static org.mscclj.plan.ChannelType.MEMORY;
import static org.mscclj.plan.program.RankBlock.own;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Plan;
import org.mscclj.plan.program.Programs.Memory;

/**
 * No copy in between, for registered buffers: ranks read each other's inputs, and an allreduce stores into each other's outputs.
 *
 * <p>A relaxed signal says that a rank has launched, which makes its input visible and its output free; another one at the end says that it has read
 * what it wanted, and a full one where it has stored something.
 */
final class DirectPrograms {
    private DirectPrograms() {}

    static Plan plan(String name, ProgramSpec spec) {
        return switch (spec.collective()) {
            case ALLREDUCE -> build(name, spec, spec.ranks(), DirectPrograms::allReduce);
            case REDUCESCATTER -> build(name, spec, 1, DirectPrograms::reduceScatter);
            case ALLGATHER -> build(name, spec, 1, DirectPrograms::allGather);
            case ALLTOALL -> build(name, spec, 1, DirectPrograms::allToAll);
            case BROADCAST -> build(name, spec, 1, DirectPrograms::broadcast);
            default -> throw new IllegalStateException(name + " of " + spec.collective());
        };
    }

    private static Plan build(String name, ProgramSpec spec, int chunksPerSlice, RankBlock.Writer writer) {
        return Programs.simple(name, Memory.withoutScratch(chunksPerSlice), spec, writer);
    }

    /** Each rank reduces its own chunk over all ranks, and stores the result everywhere: one place for each element, so equal bits. */
    private static void allReduce(RankBlock block) {
        block.sketch()
                .tellReady(MEMORY, block.peers())
                .awaitReady(MEMORY, block.peers())
                .remote(DataKind.READ_REDUCE_SEND, MEMORY, everywhere(block, INPUT), everywhere(block, OUTPUT))
                .meet(MEMORY, block.peers());
    }

    private static void reduceScatter(RankBlock block) {
        block.sketch()
                .tellReady(MEMORY, block.peers())
                .awaitReady(MEMORY, block.peers())
                .remote(DataKind.READ_REDUCE, MEMORY, everywhere(block, INPUT), List.of(own(OUTPUT, 0)))
                .meetAfterReading(MEMORY, block.peers());
    }

    /** This rank's chunk of a buffer of all ranks, its own first. */
    private static List<ChunkRef> everywhere(RankBlock block, BufferType buffer) {
        List<ChunkRef> refs = new ArrayList<>(List.of(own(buffer, block.rank())));
        for (int peer : block.peers()) {
            refs.add(block.of(peer, buffer, MEMORY, block.rank()));
        }
        return refs;
    }

    private static void allGather(RankBlock block) {
        readAll(block, 0);
    }

    /** In place this cannot be: a part would be overwritten before its peer has read it. */
    private static void allToAll(RankBlock block) {
        readAll(block, block.rank());
    }

    private static void readAll(RankBlock block, int chunk) {
        block.sketch().tellReady(MEMORY, block.peers());
        block.keep(chunk, block.rank());
        block.sketch().awaitReady(MEMORY, block.peers());
        block.gather(INPUT, chunk);
        block.sketch().meetAfterReading(MEMORY, block.peers());
    }

    private static void broadcast(RankBlock block) {
        int root = block.spec().root();
        if (block.isRoot()) {
            block.sketch().tellReady(MEMORY, block.peers());
            block.keep(0, 0);
            block.sketch().awaitReady(MEMORY, block.peers());
        } else {
            block.sketch()
                    .awaitReady(MEMORY, root)
                    .remote(DataKind.GET, MEMORY, List.of(block.of(root, INPUT, MEMORY, 0)), List.of(own(OUTPUT, 0)))
                    .tellReady(MEMORY, root);
        }
    }
}

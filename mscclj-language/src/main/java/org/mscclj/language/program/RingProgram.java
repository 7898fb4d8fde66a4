package org.mscclj.language.program;

import java.util.List;
import org.mscclj.language.Chunk;
import org.mscclj.language.MemoryChannel;
import org.mscclj.language.program.Programs.Memory;
import org.mscclj.plan.Plan;

/**
 * An allreduce around a ring: the partial sum of each chunk goes once around, starting at the rank of that number, and
 * is then the result, which goes around again. Each rank stores into the scratch of the next one only. Each chunk is
 * summed in one order, so all ranks get equal bits.
 *
 * <p>Every step has its own slot, and one half of scratch suffices. Slots of partial sums: a rank that has ended a
 * launch has received the results of all chunks, each of which the next rank has computed from the partial sum in its
 * slot. Slots of results: a rank that sends a result has received data from all ranks, directly or indirectly, and
 * therefore all ranks are in this launch.
 */
final class RingProgram {
    private RingProgram() {}

    static Plan plan(String name, ProgramSpec spec) {
        int steps = spec.ranks() - 1;
        return Programs.build(name, Memory.once(spec.ranks(), 2 * steps), spec, RingProgram::allReduce);
    }

    /** Partial sums arrive in slots 0 to n − 2, results in the others. */
    private static void allReduce(RankBlock block) {
        int rank = block.rank();
        int ranks = block.ranks();
        int steps = ranks - 1;
        int next = (rank + 1) % ranks;
        List<Integer> previous = List.of((rank + steps) % ranks);
        MemoryChannel channel = block.memory(next);
        channel.put(block.scratchOf(next, 0), block.input(rank), block.share());
        block.signal(List.of(next));
        for (int step = 0; step < steps; step++) {
            int chunk = Math.floorMod(rank - 1 - step, ranks);
            Chunk sum = block.output(chunk);
            block.await(previous);
            block.reduce(List.of(block.scratch(step), block.input(chunk)), sum);
            channel.put(block.scratchOf(next, step + 1), sum, block.share());
            block.signal(List.of(next));
        }
        for (int step = 0; step < steps; step++) {
            Chunk result = block.scratch(steps + step);
            block.await(previous);
            if (step < steps - 1) {
                channel.put(block.scratchOf(next, steps + step + 1), result, block.share());
                block.signal(List.of(next));
            }
            block.copy(block.output(Math.floorMod(rank - step, ranks)), result);
        }
    }
}

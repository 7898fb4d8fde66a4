package org.mscclj.language.program;

import java.util.stream.IntStream;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.Chunk;
import org.mscclj.language.SwitchChannel;
import org.mscclj.language.program.Programs.Memory;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;

/**
 * An allreduce by a switch: for each rank, the switch reduces one chunk of the scratch of all ranks, and stores the
 * result there. The signals after that are full ones: a relaxed signal would not release the stores.
 *
 * <p>Groups of blocks cannot divide a range of a switch. Each block is therefore an instance of the program with its
 * own chunks and multicast channel. One half of scratch suffices: the second exchange of signals follows all accesses
 * of peers.
 */
final class MulticastProgram {
    private MulticastProgram() {}

    static Plan plan(String name, ProgramSpec spec) {
        Memory memory = Memory.once(spec.ranks(), spec.ranks());
        AlgoSpec.Builder algorithm = Programs.algorithm(name, memory, spec).instances(spec.blocks());
        return Programs.build(algorithm, memory, spec, 1, program -> {
            SwitchChannel all = program.switchChannel(
                    IntStream.range(0, spec.ranks()).boxed().toList(), BufferType.SCRATCH);
            return block -> allReduce(block, all.atRank(block.rank()));
        });
    }

    private static void allReduce(RankBlock block, SwitchChannel.Member multicast) {
        int rank = block.rank();
        Chunk own = block.scratch(rank);
        for (int chunk = 0; chunk < block.ranks(); chunk++) {
            block.copy(block.scratch(chunk), block.input(chunk));
        }
        block.exchangeSignals(block.peers());
        multicast.reduce(rank, 1, own, block.id());
        multicast.broadcast(own, rank, 1, block.id());
        block.exchangeSignals(block.peers());
        for (int chunk = 0; chunk < block.ranks(); chunk++) {
            block.copy(block.output(chunk), block.scratch(chunk));
        }
    }
}

package org.mscclj.language.program;

import java.util.List;
import java.util.function.Function;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.Chunk;
import org.mscclj.language.ProgramBuilder;
import org.mscclj.language.SwitchChannel;
import org.mscclj.language.program.Programs.Memory;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;

/**
 * Programs in which a switch reads from registered inputs and stores into registered outputs of all ranks, without
 * copies. The signals are those of {@link DirectPrograms}: a relaxed one says that a rank has launched, and a full one
 * at the end that the switch has stored.
 *
 * <p>As in {@link MulticastProgram}, each block is an instance of the program.
 */
final class MulticastDirectProgram {
    private MulticastDirectProgram() {}

    static Plan plan(String name, ProgramSpec spec) {
        return switch (spec.collective()) {
            case ALLREDUCE -> build(name, spec, spec.ranks(), program -> allReduce(program, spec));
            case ALLGATHER -> build(name, spec, 1, program -> allGather(outputs(program, spec)));
            case BROADCAST -> build(name, spec, 1, program -> broadcast(outputs(program, spec)));
            default -> throw new IllegalStateException(name + " of " + spec.collective());
        };
    }

    private static Plan build(
            String name, ProgramSpec spec, int chunksPerSlice, Function<ProgramBuilder, RankBlock.Writer> writer) {
        Memory memory = Memory.withoutScratch(chunksPerSlice);
        AlgoSpec.Builder algorithm = Programs.algorithm(name, memory, spec).instances(spec.blocks());
        return Programs.build(algorithm, memory, spec, 1, writer);
    }

    /** The channel of the outputs. In place, those of an allreduce and of a broadcast are the inputs. */
    private static SwitchChannel outputs(ProgramBuilder program, ProgramSpec spec) {
        return program.switchChannel(MulticastProgram.all(spec), BufferType.OUTPUT);
    }

    private static RankBlock.Writer allReduce(ProgramBuilder program, ProgramSpec spec) {
        SwitchChannel inputs = program.switchChannel(MulticastProgram.all(spec), BufferType.INPUT);
        SwitchChannel outputs = spec.inPlace() ? inputs : outputs(program, spec);
        return block -> {
            int rank = block.rank();
            Chunk result = spec.inPlace() ? block.input(rank) : block.output(rank);
            block.signalReady(block.peers());
            block.awaitReady(block.peers());
            inputs.atRank(rank).reduce(rank, 1, result, block.id());
            outputs.atRank(rank).broadcast(result, rank, 1, block.id());
            block.exchangeSignals(block.peers());
        };
    }

    private static RankBlock.Writer allGather(SwitchChannel outputs) {
        return block -> {
            block.signalReady(block.peers());
            block.awaitReady(block.peers());
            outputs.atRank(block.rank()).broadcast(block.input(0), block.rank(), 1, block.id());
            block.exchangeSignals(block.peers());
        };
    }

    private static RankBlock.Writer broadcast(SwitchChannel outputs) {
        return block -> {
            if (block.isRoot()) {
                block.awaitReady(block.peers());
                outputs.atRank(block.rank()).broadcast(block.input(0), 0, 1, block.id());
                block.signal(block.peers());
            } else {
                block.signalReady(List.of(block.root()));
                block.await(List.of(block.root()));
            }
        };
    }
}

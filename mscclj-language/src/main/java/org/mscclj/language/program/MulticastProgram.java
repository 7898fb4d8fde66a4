package org.mscclj.language.program;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.Chunk;
import org.mscclj.language.SwitchChannel;
import org.mscclj.language.program.Programs.Memory;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;

/**
 * Programs in which a switch stores for all ranks, or reduces over all of them, through scratch. In a sum, the switch
 * reduces one chunk for each rank, and stores the result. The signals after that are full ones: a relaxed signal would
 * not release the stores.
 *
 * <p>Groups of blocks cannot divide a range of a switch. Each block is therefore an instance of the program with its
 * own chunks and multicast channel.
 *
 * <p>For sums, one half of scratch suffices: the second exchange of signals follows all accesses of peers. Where ranks
 * only store, scratch has two halves: see {@link PacketPrograms}.
 */
final class MulticastProgram {
    private MulticastProgram() {}

    static Plan plan(String name, ProgramSpec spec) {
        int ranks = spec.ranks();
        return switch (spec.collective()) {
            case ALLREDUCE -> build(name, spec, Memory.once(ranks, ranks), MulticastProgram::allReduce);
            case REDUCESCATTER -> build(name, spec, Memory.once(1, ranks), MulticastProgram::reduceScatter);
            case ALLGATHER -> build(name, spec, Memory.twice(ranks), MulticastProgram::allGather);
            case BROADCAST -> build(name, spec, Memory.twice(1), MulticastProgram::broadcast);
            default -> throw new IllegalStateException(name + " of " + spec.collective());
        };
    }

    private static Plan build(
            String name, ProgramSpec spec, Memory memory, BiConsumer<RankBlock, SwitchChannel.Member> writer) {
        AlgoSpec.Builder algorithm = Programs.algorithm(name, memory, spec).instances(spec.blocks());
        return Programs.build(algorithm, memory, spec, 1, program -> {
            SwitchChannel all = program.switchChannel(all(spec), BufferType.SCRATCH);
            return block -> writer.accept(block, all.atRank(block.rank()));
        });
    }

    /** All ranks, which share a switch channel. */
    static List<Integer> all(ProgramSpec spec) {
        return IntStream.range(0, spec.ranks()).boxed().toList();
    }

    private static void allReduce(RankBlock block, SwitchChannel.Member multicast) {
        reduceOwn(block, multicast);
        for (int chunk = 0; chunk < block.ranks(); chunk++) {
            block.copy(block.output(chunk), block.scratch(chunk));
        }
    }

    /** The switch stores a sum at all ranks, although one rank needs it: there is no reduction without a store. */
    private static void reduceScatter(RankBlock block, SwitchChannel.Member multicast) {
        reduceOwn(block, multicast);
        block.copy(block.output(0), block.scratch(block.rank()));
    }

    private static void reduceOwn(RankBlock block, SwitchChannel.Member multicast) {
        int rank = block.rank();
        Chunk own = block.scratch(rank);
        for (int chunk = 0; chunk < block.ranks(); chunk++) {
            block.copy(block.scratch(chunk), block.input(chunk));
        }
        block.exchangeSignals(block.peers());
        multicast.reduce(rank, 1, own, block.id());
        multicast.broadcast(own, rank, 1, block.id());
        block.exchangeSignals(block.peers());
    }

    private static void allGather(RankBlock block, SwitchChannel.Member multicast) {
        multicast.broadcast(block.input(0), block.rank(), 1, block.id());
        block.signal(block.peers());
        block.keep(0, block.rank());
        block.await(block.peers());
        for (int peer : block.peers()) {
            block.copy(block.output(peer), block.scratch(peer));
        }
    }

    private static void broadcast(RankBlock block, SwitchChannel.Member multicast) {
        if (block.isRoot()) {
            multicast.broadcast(block.input(0), 0, 1, block.id());
            block.signal(block.peers());
            block.keep(0, 0);
            block.awaitReady(block.peers());
        } else {
            List<Integer> root = List.of(block.root());
            block.signalReady(root);
            block.await(root);
            block.copy(block.output(0), block.scratch(0));
        }
    }
}

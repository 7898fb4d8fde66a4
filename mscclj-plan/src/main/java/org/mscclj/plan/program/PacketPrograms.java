package org.mscclj.plan.program;

import static org.mscclj.plan.BufferType.INPUT;
import static org.mscclj.plan.BufferType.OUTPUT;
import static org.mscclj.plan.BufferType.SCRATCH;
import static org.mscclj.plan.ChannelType.MEMORY;
import static org.mscclj.plan.program.RankBlock.own;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.program.Programs.Memory;

/**
 * One hop, for small messages: every rank stores packets into its peers' scratch, and unpacks or reduces what arrives in its own.
 *
 * <p>Scratch has two halves. Who starts launch {@code i + 2} has seen packets of launch {@code i + 1} from every peer, each of which had ended
 * launch {@code i} by then, so the half of launch {@code i} is free. In a broadcast the root sees no packets; its peers tell it that they have
 * launched.
 */
final class PacketPrograms {
    private PacketPrograms() {}

    static Plan plan(String name, ProgramSpec spec) {
        int ranks = spec.ranks();
        return switch (spec.collective()) {
            case ALLREDUCE -> build(name, spec, ranks, PacketPrograms::allReduce);
            case REDUCESCATTER -> build(name, spec, ranks, PacketPrograms::reduceScatter);
            case ALLGATHER -> build(name, spec, ranks, PacketPrograms::allGather);
            case ALLTOALL -> build(name, spec, ranks, PacketPrograms::allToAll);
            case BROADCAST -> build(name, spec, 1, PacketPrograms::broadcast);
            default -> throw new IllegalStateException(name + " of " + spec.collective());
        };
    }

    private static Plan build(String name, ProgramSpec spec, int slots, RankBlock.Writer writer) {
        return Programs.build(name, Protocol.LL, Memory.twice(slots), spec, writer);
    }

    /**
     * A packet reduction takes its plain operand last. So that all ranks combine in one order, and hold the same bits, the plain operand is
     * the last rank's contribution everywhere, and each rank sends packets to itself too. With two ranks the order does not matter: every
     * operation is commutative.
     */
    private static void allReduce(RankBlock block) {
        block.put(DataKind.PUT_PACKETS, _ -> 0, block.rank());
        int last = block.ranks() - 1;
        if (block.ranks() == 2 || block.isLast()) {
            block.sketch().nop();
            reduce(block, own(INPUT, 0), block.ranks());
            return;
        }
        block.sketch()
                .local(DataKind.COPY_PACKETS, List.of(own(INPUT, 0)), List.of(own(SCRATCH, block.rank())))
                .nop();
        unpack(block, last, 0);
        block.sketch().nop();
        List<ChunkRef> sources = new ArrayList<>(List.of(own(OUTPUT, 0)));
        IntStream.range(0, last).forEach(from -> sources.add(own(SCRATCH, from)));
        block.sketch().local(DataKind.REDUCE_PACKETS, sources, List.of(own(OUTPUT, 0)));
    }

    /** Each rank alone computes its part, so any order gives equal bits: that of ranks, its own contribution last. */
    private static void reduceScatter(RankBlock block) {
        block.put(DataKind.PUT_PACKETS, peer -> peer, block.rank());
        block.sketch().nop();
        reduce(block, own(INPUT, block.rank()), block.ranks());
    }

    private static void reduce(RankBlock block, ChunkRef plain, int ranks) {
        List<ChunkRef> sources = new ArrayList<>(List.of(plain));
        IntStream.range(0, ranks).filter(from -> from != block.rank()).forEach(from -> sources.add(own(SCRATCH, from)));
        block.sketch().local(DataKind.REDUCE_PACKETS, sources, List.of(own(OUTPUT, 0)));
    }

    private static void allGather(RankBlock block) {
        block.put(DataKind.PUT_PACKETS, _ -> 0, block.rank());
        block.keep(0, block.rank());
        unpackAll(block);
    }

    private static void allToAll(RankBlock block) {
        block.put(DataKind.PUT_PACKETS, peer -> peer, block.rank());
        block.keep(block.rank(), block.rank());
        block.sketch().nop(); // in place, what arrives replaces what was sent
        unpackAll(block);
    }

    private static void broadcast(RankBlock block) {
        int root = block.spec().root();
        if (block.isRoot()) {
            block.put(DataKind.PUT_PACKETS, _ -> 0, 0);
            block.keep(0, 0);
            block.sketch().awaitReady(MEMORY, block.peers());
        } else {
            block.sketch().tellReady(MEMORY, root);
            unpack(block, 0, 0);
        }
    }

    private static void unpackAll(RankBlock block) {
        for (int peer : block.peers()) {
            unpack(block, peer, peer);
        }
    }

    private static void unpack(RankBlock block, int slot, int outputChunk) {
        block.sketch().local(DataKind.UNPACK_PACKETS, List.of(own(SCRATCH, slot)), List.of(own(OUTPUT, outputChunk)));
    }
}

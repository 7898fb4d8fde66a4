package org.mscclj.plan.program;

import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.mscclj.plan.Plan;
import org.mscclj.plan.language.Chunk;
import org.mscclj.plan.program.Programs.Memory;

/**
 * One hop, for small messages: every rank stores packets into its peers' scratch, and unpacks or reduces what arrives
 * in its own.
 *
 * <p>Scratch has two halves. Who starts launch {@code i + 2} has seen packets of launch {@code i + 1} from every peer,
 * each of which had ended launch {@code i} by then, so the half of launch {@code i} is free. Where one side sees no
 * packets, the root of a broadcast or scatter, or the peers of the root of a reduce or gather, the other tells it that
 * it has launched.
 *
 * <p>A block's threads meet where the language finds that data demands it, and nowhere else: before something is added
 * to what was just unpacked, and, in place, where what arrives replaces what other threads may still be sending. The
 * latter is needed: the packets that arrive say nothing about those that leave.
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
            case SCATTER -> build(name, spec, 1, PacketPrograms::scatter);
            case REDUCE -> build(name, spec, ranks, PacketPrograms::reduceAtRoot);
            case GATHER -> build(name, spec, ranks, PacketPrograms::gather);
            default -> throw new IllegalStateException(name + " of " + spec.collective());
        };
    }

    private static Plan build(String name, ProgramSpec spec, int slots, RankBlock.Writer writer) {
        return Programs.build(name, Memory.packets(1, slots), spec, writer);
    }

    /**
     * A packet reduction takes its plain operand last. So that all ranks combine in one order, and hold the same bits,
     * the plain operand is the last rank's contribution everywhere, and each rank sends packets to itself too. With two
     * ranks the order does not matter: every operation is commutative.
     */
    private static void allReduce(RankBlock block) {
        int last = block.ranks() - 1;
        put(block, _ -> 0, block.rank());
        if (block.ranks() == 2 || block.rank() == last) {
            reduce(block, 0);
            return;
        }
        block.self().copyPackets(block.scratch(block.rank()), block.input(0), block.share());
        unpack(block, last, 0);
        List<Chunk> others = IntStream.range(0, last).mapToObj(block::scratch).toList();
        block.self().reducePackets(block.output(0), others, block.share());
    }

    /** Each rank alone computes its part, so any order gives equal bits: that of ranks, its own contribution last. */
    private static void reduceScatter(RankBlock block) {
        put(block, peer -> peer, block.rank());
        reduce(block, block.rank());
    }

    private static void allGather(RankBlock block) {
        put(block, _ -> 0, block.rank());
        block.keep(0, block.rank());
        unpackAll(block);
    }

    private static void allToAll(RankBlock block) {
        put(block, peer -> peer, block.rank());
        block.keep(block.rank(), block.rank());
        unpackAll(block);
    }

    private static void broadcast(RankBlock block) {
        fromRoot(block, _ -> 0);
    }

    private static void scatter(RankBlock block) {
        fromRoot(block, rank -> rank);
    }

    private static void fromRoot(RankBlock block, IntUnaryOperator chunkFor) {
        if (block.isRoot()) {
            put(block, chunkFor, 0);
            block.keep(chunkFor.applyAsInt(block.rank()), 0);
            block.awaitReady(block.peers());
        } else {
            block.tellReady(List.of(block.root()));
            unpack(block, 0, 0);
        }
    }

    private static void reduceAtRoot(RankBlock block) {
        if (block.isRoot()) {
            block.tellReady(block.peers());
            reduce(block, 0);
        } else {
            sendToRoot(block);
        }
    }

    private static void gather(RankBlock block) {
        if (block.isRoot()) {
            block.tellReady(block.peers());
            block.keep(0, block.rank());
            unpackAll(block);
        } else {
            sendToRoot(block);
        }
    }

    private static void sendToRoot(RankBlock block) {
        int root = block.root();
        block.memory(root).putPackets(block.scratchOf(root, block.rank()), block.input(0), block.share());
        block.awaitReady(List.of(root));
    }

    /** Stores, for every peer, a chunk of the input into a slot of that peer's scratch. */
    private static void put(RankBlock block, IntUnaryOperator chunkFor, int slot) {
        for (int peer : block.peers()) {
            block.memory(peer)
                    .putPackets(block.scratchOf(peer, slot), block.input(chunkFor.applyAsInt(peer)), block.share());
        }
    }

    /** Reduces a chunk of the input and what all peers have sent. */
    private static void reduce(RankBlock block, int chunk) {
        List<Chunk> others = IntStream.range(0, block.ranks())
                .filter(from -> from != block.rank())
                .mapToObj(block::scratch)
                .toList();
        block.self().reducePackets(block.input(chunk), others, block.output(0), block.share());
    }

    private static void unpackAll(RankBlock block) {
        for (int peer : block.peers()) {
            unpack(block, peer, peer);
        }
    }

    private static void unpack(RankBlock block, int slot, int outputChunk) {
        block.self().unpackPackets(block.output(outputChunk), block.scratch(slot), block.share());
    }
}

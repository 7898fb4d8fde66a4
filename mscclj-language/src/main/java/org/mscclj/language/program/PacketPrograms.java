package org.mscclj.language.program;

import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.mscclj.language.Chunk;
import org.mscclj.language.program.Programs.Memory;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;

/**
 * Programs with one hop, for small messages: every rank stores packets into its peers' scratch, and unpacks or reduces
 * the packets in its own.
 *
 * <p>Scratch has two halves. A rank that begins launch {@code i + 2} has seen packets of launch {@code i + 1} from
 * every peer, which had ended launch {@code i} by then, so the half of launch {@code i} is free. A rank that receives
 * no packets (the root of a broadcast or scatter, or the peers of the root of a reduce or gather) gets a signal from
 * the other side, which says that it has launched.
 *
 * <p>The threads of a block synchronise only where the language finds a data dependency: before an addition to unpacked
 * data, and, in place, where arriving data replaces data that other threads may still be sending. The latter is
 * necessary: arriving packets say nothing about departing ones.
 */
final class PacketPrograms {
    private PacketPrograms() {}

    /**
     * The plan of a specification.
     *
     * @param protocol a protocol with packets
     */
    static Plan plan(String name, ProgramSpec spec, Protocol protocol) {
        int ranks = spec.ranks();
        return switch (spec.collective()) {
            case ALLREDUCE -> build(name, spec, protocol, ranks, PacketPrograms::allReduce);
            case REDUCESCATTER -> build(name, spec, protocol, ranks, PacketPrograms::reduceScatter);
            case ALLGATHER -> build(name, spec, protocol, ranks, PacketPrograms::allGather);
            case ALLTOALL -> build(name, spec, protocol, ranks, PacketPrograms::allToAll);
            case BROADCAST -> build(name, spec, protocol, 1, PacketPrograms::broadcast);
            case SCATTER -> build(name, spec, protocol, 1, PacketPrograms::scatter);
            case REDUCE -> build(name, spec, protocol, ranks, PacketPrograms::reduceAtRoot);
            case GATHER -> build(name, spec, protocol, ranks, PacketPrograms::gather);
            default -> throw new IllegalStateException(name + " of " + spec.collective());
        };
    }

    private static Plan build(String name, ProgramSpec spec, Protocol protocol, int slots, RankBlock.Writer writer) {
        return Programs.build(name, Memory.packets(protocol, 1, slots), spec, writer);
    }

    /**
     * All ranks must combine in one order to hold equal bits, so the plain operand has the place of its rank. With two
     * ranks the order does not matter, since every operation is commutative.
     */
    private static void allReduce(RankBlock block) {
        put(block, _ -> 0, block.rank());
        if (block.ranks() == 2) {
            reduce(block, 0);
        } else if (block.isBounded()) {
            reducePlainLast(block);
        } else {
            block.self().reducePackets(block.input(0), block.rank(), peerSlots(block), block.output(0), block.share());
        }
    }

    /**
     * For MSCCL++'s executor, which adds the plain operand last: it is the last rank's contribution on all ranks, so
     * each rank sends packets to itself too.
     */
    private static void reducePlainLast(RankBlock block) {
        if (block.rank() < block.ranks() - 1) {
            block.self().copyPackets(block.scratch(block.rank()), block.input(0), block.share());
        }
        sumPlainLast(block);
    }

    /** Adds packets of all ranks, of which those of the last rank become the plain operand. */
    static void sumPlainLast(RankBlock block) {
        int last = block.ranks() - 1;
        if (block.rank() == last) {
            reduce(block, 0);
            return;
        }
        unpack(block, last, 0);
        List<Chunk> others = IntStream.range(0, last).mapToObj(block::scratch).toList();
        block.self().reducePackets(block.output(0), others, block.share());
    }

    /**
     * Each part is computed by one rank, so any order gives equal bits: rank order, with the rank's own contribution
     * last.
     */
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
            block.signalReady(List.of(block.root()));
            unpack(block, 0, 0);
        }
    }

    private static void reduceAtRoot(RankBlock block) {
        if (block.isRoot()) {
            block.signalReady(block.peers());
            reduce(block, 0);
        } else {
            sendToRoot(block);
        }
    }

    private static void gather(RankBlock block) {
        if (block.isRoot()) {
            block.signalReady(block.peers());
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

    /** Stores a chunk of the input for every peer into a slot of that peer's scratch. */
    private static void put(RankBlock block, IntUnaryOperator chunkFor, int slot) {
        for (int peer : block.peers()) {
            block.memory(peer)
                    .putPackets(block.scratchOf(peer, slot), block.input(chunkFor.applyAsInt(peer)), block.share());
        }
    }

    /** Reduces a chunk of the input and the packets of all peers. */
    private static void reduce(RankBlock block, int chunk) {
        block.self().reducePackets(block.input(chunk), peerSlots(block), block.output(0), block.share());
    }

    /** The peers' slots of scratch, in rank order. */
    private static List<Chunk> peerSlots(RankBlock block) {
        return IntStream.range(0, block.ranks())
                .filter(from -> from != block.rank())
                .mapToObj(block::scratch)
                .toList();
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

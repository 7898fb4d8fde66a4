package org.mscclj.language.program;

import java.util.List;
import org.mscclj.language.Chunk;
import org.mscclj.language.SyncType;
import org.mscclj.language.program.Programs.Memory;
import org.mscclj.plan.Plan;

/**
 * Programs for peers whose memory cannot be mapped: proxies move all data from scratch to scratch, so no buffer must be
 * registered with a transport.
 *
 * <p>{@link ScratchPrograms} explains when slots of arriving data are free. Slots of departing data are free when a
 * launch has ended, since its end flushes the port channels.
 */
final class PortPrograms {
    private PortPrograms() {}

    static Plan plan(String name, ProgramSpec spec) {
        int ranks = spec.ranks();
        return switch (spec.collective()) {
            case ALLREDUCE -> Programs.build(name, Memory.once(ranks, 3 * ranks), spec, PortPrograms::allReduce);
            case REDUCESCATTER -> Programs.build(name, Memory.twice(2 * ranks), spec, PortPrograms::reduceScatter);
            case ALLGATHER -> Programs.build(name, Memory.twice(ranks), spec, PortPrograms::allGather);
            case ALLTOALL -> Programs.build(name, Memory.twice(2 * ranks), spec, PortPrograms::allToAll);
            case BROADCAST -> Programs.build(name, Memory.twice(1), spec, PortPrograms::broadcast);
            case SCATTER -> Programs.build(name, Memory.twice(ranks), spec, PortPrograms::scatter);
            case REDUCE -> Programs.build(name, Memory.twice(ranks), spec, PortPrograms::reduce);
            case GATHER -> Programs.build(name, Memory.twice(ranks), spec, PortPrograms::gather);
            default -> throw new IllegalStateException(name + " of " + spec.collective());
        };
    }

    /**
     * Contributions arrive in slots 0 to n − 1, results in n to 2n − 1; contributions leave from 2n to 3n − 1, the
     * result from n + rank.
     */
    private static void allReduce(RankBlock block) {
        int rank = block.rank();
        int ranks = block.ranks();
        sendParts(block, 2 * ranks);
        await(block, block.peers());
        block.reduce(block.inRankOrder(rank), block.output(rank));
        block.nop();
        sendEverywhere(block, block.output(rank), ranks + rank);
        await(block, block.peers());
        for (int peer : block.peers()) {
            block.copy(block.output(peer), block.scratch(ranks + peer));
        }
    }

    private static void reduceScatter(RankBlock block) {
        sendParts(block, block.ranks());
        await(block, block.peers());
        block.reduce(block.inRankOrder(block.rank()), block.output(0));
    }

    private static void allToAll(RankBlock block) {
        sendParts(block, block.ranks());
        block.keep(block.rank(), block.rank());
        receiveAll(block);
    }

    private static void allGather(RankBlock block) {
        sendEverywhere(block, block.input(0), block.rank());
        block.keep(0, block.rank());
        receiveAll(block);
    }

    private static void broadcast(RankBlock block) {
        if (block.isRoot()) {
            sendEverywhere(block, block.input(0), 0);
            block.keep(0, 0);
            await(block, block.peers());
        } else {
            receiveFromRoot(block, 0);
        }
    }

    private static void scatter(RankBlock block) {
        if (block.isRoot()) {
            sendParts(block, 0);
            block.keep(block.rank(), 0);
            await(block, block.peers());
        } else {
            receiveFromRoot(block, block.root());
        }
    }

    private static void receiveFromRoot(RankBlock block, int slot) {
        signal(block, List.of(block.root()));
        await(block, List.of(block.root()));
        block.copy(block.output(0), block.scratch(slot));
    }

    private static void reduce(RankBlock block) {
        if (block.isRoot()) {
            signal(block, block.peers());
            await(block, block.peers());
            block.reduce(block.inRankOrder(0), block.output(0));
        } else {
            sendToRoot(block);
        }
    }

    private static void gather(RankBlock block) {
        if (block.isRoot()) {
            signal(block, block.peers());
            block.keep(0, block.rank());
            receiveAll(block);
        } else {
            sendToRoot(block);
        }
    }

    private static void sendToRoot(RankBlock block) {
        block.copy(block.scratch(block.rank()), block.input(0));
        block.nop();
        send(block, block.root(), block.rank(), block.rank());
        await(block, List.of(block.root()));
    }

    /** Sends each peer its chunk of the input through a slot for that peer. */
    private static void sendParts(RankBlock block, int firstSlot) {
        for (int peer : block.peers()) {
            block.copy(block.scratch(firstSlot + peer), block.input(peer));
        }
        block.nop();
        for (int peer : block.peers()) {
            send(block, peer, firstSlot + peer, block.rank());
        }
    }

    /** Sends a chunk of this rank to all peers through the slot with the same number as its destination. */
    private static void sendEverywhere(RankBlock block, Chunk chunk, int slot) {
        block.copy(block.scratch(slot), chunk);
        block.nop();
        for (int peer : block.peers()) {
            send(block, peer, slot, slot);
        }
    }

    private static void send(RankBlock block, int peer, int from, int to) {
        block.port(peer).putWithSignal(block.scratchOf(peer, to), block.scratch(from), block.share());
    }

    private static void receiveAll(RankBlock block) {
        await(block, block.peers());
        for (int peer : block.peers()) {
            block.copy(block.output(peer), block.scratch(peer));
        }
    }

    /** Signals the peers that this rank has launched. */
    private static void signal(RankBlock block, List<Integer> peers) {
        block.nop();
        peers.forEach(peer -> block.port(peer).signal(block.id(), SyncType.NONE));
    }

    private static void await(RankBlock block, List<Integer> peers) {
        peers.forEach(peer -> block.port(peer).await(block.id(), SyncType.NONE));
        block.nop();
    }
}

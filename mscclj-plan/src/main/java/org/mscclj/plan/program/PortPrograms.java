package org.mscclj.plan.program;

import static org.mscclj.plan.BufferType.INPUT;
import static org.mscclj.plan.BufferType.OUTPUT;
import static org.mscclj.plan.BufferType.SCRATCH;
import static org.mscclj.plan.ChannelType.PORT;
import static org.mscclj.plan.program.RankBlock.own;

import java.util.List;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Plan;
import org.mscclj.plan.program.Programs.Memory;

/**
 * For peers whose memory cannot be mapped: proxies move everything, from scratch to scratch, so that no buffer has to be registered with a
 * transport.
 *
 * <p>Slots of what arrives are free when {@link ScratchPrograms} says so. Slots of what leaves are free when a launch has ended, since its end
 * flushes the port channels.
 */
final class PortPrograms {
    private PortPrograms() {}

    static Plan plan(String name, ProgramSpec spec) {
        int ranks = spec.ranks();
        return switch (spec.collective()) {
            case ALLREDUCE -> Programs.simple(name, new Memory(ranks, 3 * ranks, false), spec, PortPrograms::allReduce);
            case REDUCESCATTER -> Programs.simple(name, Memory.twice(2 * ranks), spec, PortPrograms::reduceScatter);
            case ALLGATHER -> Programs.simple(name, Memory.twice(ranks), spec, PortPrograms::allGather);
            case ALLTOALL -> Programs.simple(name, Memory.twice(2 * ranks), spec, PortPrograms::allToAll);
            case BROADCAST -> Programs.simple(name, Memory.twice(1), spec, PortPrograms::broadcast);
            default -> throw new IllegalStateException(name + " of " + spec.collective());
        };
    }

    /** Contributions arrive in slots 0 to n − 1, results in n to 2n − 1; contributions leave from 2n to 3n − 1, the result from n + rank. */
    private static void allReduce(RankBlock block) {
        int rank = block.rank();
        int ranks = block.ranks();
        sendParts(block, 2 * ranks);
        block.sketch()
                .await(PORT, block.peers())
                .nop()
                .local(DataKind.REDUCE, block.inRankOrder(rank), List.of(own(OUTPUT, rank)))
                .nop();
        sendEverywhere(block, OUTPUT, rank, ranks + rank);
        block.sketch().await(PORT, block.peers()).nop();
        block.copyForPeers(SCRATCH, ranks, OUTPUT, 0);
    }

    private static void reduceScatter(RankBlock block) {
        sendParts(block, block.ranks());
        block.sketch()
                .await(PORT, block.peers())
                .nop()
                .local(DataKind.REDUCE, block.inRankOrder(block.rank()), List.of(own(OUTPUT, 0)));
    }

    private static void allToAll(RankBlock block) {
        sendParts(block, block.ranks());
        block.keep(block.rank(), block.rank());
        receiveAll(block);
    }

    private static void allGather(RankBlock block) {
        sendEverywhere(block, INPUT, 0, block.rank());
        block.keep(0, block.rank());
        receiveAll(block);
    }

    /** Like {@link ScratchPrograms}: the root ends when its peers have launched. */
    private static void broadcast(RankBlock block) {
        int root = block.spec().root();
        if (block.isRoot()) {
            sendEverywhere(block, INPUT, 0, 0);
            block.keep(0, 0);
            block.sketch().awaitReady(PORT, block.peers());
        } else {
            block.sketch().tellReady(PORT, root).await(PORT, root).nop();
            block.copy(SCRATCH, 0, OUTPUT, 0);
        }
    }

    /** Sends each peer its chunk of the input, by way of a slot of its own. */
    private static void sendParts(RankBlock block, int firstSlot) {
        block.copyForPeers(INPUT, 0, SCRATCH, firstSlot);
        block.sketch().nop();
        for (int peer : block.peers()) {
            send(block, peer, firstSlot + peer, block.rank());
        }
    }

    /** Sends a chunk of this rank to all peers, by way of the slot that it also goes to. */
    private static void sendEverywhere(RankBlock block, BufferType from, int chunk, int slot) {
        block.copy(from, chunk, SCRATCH, slot);
        block.sketch().nop();
        for (int peer : block.peers()) {
            send(block, peer, slot, slot);
        }
    }

    private static void receiveAll(RankBlock block) {
        block.sketch().await(PORT, block.peers()).nop();
        block.copyForPeers(SCRATCH, 0, OUTPUT, 0);
    }

    private static void send(RankBlock block, int peer, int from, int to) {
        block.sketch()
                .port(
                        DataKind.PUT_WITH_SIGNAL,
                        peer,
                        List.of(own(SCRATCH, from)),
                        List.of(block.of(peer, SCRATCH, PORT, to)));
    }
}

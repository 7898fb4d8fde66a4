package org.mscclj.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.validation.PlanValidator;

/**
 * An in-place allreduce for any number of ranks and blocks: every block reduces one chunk over all ranks and stores the
 * result at all of them. The number of bytes read and written depends only on the bytes of all ranks together, not on
 * the number of ranks.
 */
final class DirectAllReduce {
    private DirectAllReduce() {}

    static Plan plan(int ranks, int blocks) {
        List<RankPlan> rankPlans = IntStream.range(0, ranks)
                .mapToObj(rank -> rank(rank, ranks, blocks))
                .toList();
        Plan plan = new Plan(
                "allreduce_direct_" + ranks + "ranks_" + blocks + "blocks",
                Collective.ALLREDUCE,
                Protocol.SIMPLE,
                true,
                false,
                1024,
                false,
                16,
                0,
                -1,
                rankPlans);
        PlanValidator.validate(plan);
        return plan;
    }

    private static RankPlan rank(int rank, int ranks, int blocks) {
        List<Integer> peers =
                IntStream.range(0, ranks).filter(peer -> peer != rank).boxed().toList();
        List<ThreadBlock> threadBlocks = IntStream.range(0, blocks)
                .mapToObj(block -> block(rank, block, blocks, peers))
                .toList();
        List<Integer> channels = IntStream.range(0, blocks)
                .boxed()
                .flatMap(block -> peers.stream())
                .toList();
        List<RemoteBuffer> buffers = peers.stream()
                .map(peer -> new RemoteBuffer(peer, BufferType.INPUT, List.of(ChannelType.MEMORY)))
                .toList();
        int chunks = ranks * blocks;
        return new RankPlan(rank, chunks, chunks, 0, threadBlocks, channels, List.of(), List.of(), buffers, List.of());
    }

    private static ThreadBlock block(int rank, int block, int blocks, List<Integer> peers) {
        List<Integer> all = IntStream.range(0, peers.size()).boxed().toList();
        int chunk = rank * blocks + block;
        List<ChunkRef> refs = new ArrayList<>(List.of(new ChunkRef.Local(BufferType.INPUT, chunk, 1)));
        all.forEach(peer -> refs.add(new ChunkRef.Remote(peer, chunk, 1)));
        Operation nop = new Operation.Nop();
        List<Operation> operations = peers.isEmpty()
                ? List.of(alone(chunk))
                : List.of(
                        new Operation.Signal(ChannelType.MEMORY, all, true),
                        new Operation.Wait(ChannelType.MEMORY, all, true),
                        nop,
                        new Operation.Data(
                                DataKind.READ_REDUCE_SEND,
                                Optional.of(ChannelType.MEMORY),
                                List.of(),
                                refs,
                                refs,
                                BlockShare.WHOLE,
                                Optional.empty()),
                        nop,
                        new Operation.Signal(ChannelType.MEMORY, all, false),
                        new Operation.Wait(ChannelType.MEMORY, all, false));
        List<Integer> channels =
                all.stream().map(peer -> block * peers.size() + peer).toList();
        return new ThreadBlock(block, operations, channels, List.of(), List.of(), all, List.of());
    }

    /** With one rank there is nothing to add: the chunk is stored to itself. */
    private static Operation alone(int chunk) {
        List<ChunkRef> refs = List.of(new ChunkRef.Local(BufferType.INPUT, chunk, 1));
        return new Operation.Data(
                DataKind.REDUCE, Optional.empty(), List.of(), refs, refs, BlockShare.WHOLE, Optional.empty());
    }
}

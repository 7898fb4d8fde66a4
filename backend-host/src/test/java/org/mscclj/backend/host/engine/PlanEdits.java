package org.mscclj.backend.host.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;

/** Plans that differ from others in one thing. */
final class PlanEdits {
    private PlanEdits() {}

    static Plan withOperations(Plan plan, int rank, int block, List<Operation> operations) {
        RankPlan of = plan.ranks().get(rank);
        List<ThreadBlock> blocks = new ArrayList<>(of.threadBlocks());
        blocks.set(block, blocks.get(block).withOperations(operations));
        return withRank(plan, of.withThreadBlocks(blocks));
    }

    static Plan withRank(Plan plan, RankPlan rank) {
        List<RankPlan> ranks = new ArrayList<>(plan.ranks());
        ranks.set(rank.rank(), rank);
        return plan.withRanks(ranks);
    }

    static RankPlan withCounts(RankPlan rank, int inputs, int outputs, int scratch, List<Integer> semaphores) {
        return new RankPlan(
                rank.rank(),
                inputs,
                outputs,
                scratch,
                rank.threadBlocks(),
                rank.memoryChannelPeers(),
                rank.portChannelPeers(),
                rank.switchGroups(),
                rank.remoteBuffers(),
                semaphores);
    }

    static Plan eachRank(Plan plan, UnaryOperator<RankPlan> change) {
        return plan.withRanks(plan.ranks().stream().map(change).toList());
    }

    /** Changes every list of operations, those of pipelines first. */
    static Plan eachList(Plan plan, UnaryOperator<List<Operation>> change) {
        return eachRank(
                plan,
                rank -> rank.withThreadBlocks(rank.threadBlocks().stream()
                        .map(block -> block.withOperations(change.apply(block.operations().stream()
                                .<Operation>map(operation -> operation instanceof Operation.Pipeline pipeline
                                        ? new Operation.Pipeline(
                                                pipeline.unitSize(),
                                                pipeline.chunks(),
                                                change.apply(pipeline.operations()))
                                        : operation)
                                .toList())))
                        .toList()));
    }

    static Plan eachOperation(Plan plan, UnaryOperator<Operation> change) {
        return eachList(plan, operations -> operations.stream().map(change).toList());
    }

    static Operation.Data withOperands(Operation.Data data, List<ChunkRef> sources, List<ChunkRef> destinations) {
        return new Operation.Data(
                data.kind(),
                data.channelType(),
                data.channelIds(),
                sources,
                destinations,
                data.share(),
                data.reduceOp(),
                data.plainPlace());
    }

    /** The operation with a fixed reduction, if it reduces. */
    static Operation fixed(Operation operation, ReduceOp.Kind op) {
        return operation instanceof Operation.Data data && data.kind().reduces()
                ? new Operation.Data(
                        data.kind(),
                        data.channelType(),
                        data.channelIds(),
                        data.sources(),
                        data.destinations(),
                        data.share(),
                        Optional.of(op),
                        data.plainPlace())
                : operation;
    }

    static ChunkRef at(ChunkRef reference, int index, int size) {
        return switch (reference) {
            case ChunkRef.Local local -> new ChunkRef.Local(local.buffer(), index, size);
            case ChunkRef.Remote remote -> new ChunkRef.Remote(remote.bufferId(), index, size);
            case ChunkRef.Multicast all -> new ChunkRef.Multicast(all.switchChannelId(), index, size);
        };
    }

    static <T> List<T> replaced(List<T> list, int position, T other) {
        List<T> changed = new ArrayList<>(list);
        changed.set(position, other);
        return changed;
    }
}

package org.mscclj.language.pass;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.validation.PlanValidator;

/**
 * The passes of the compiler, in order.
 *
 * @param fuse whether adjacent operations are fused
 * @param limits limits of one operation
 * @param automaticSync whether the block's threads synchronise where data dependencies require it
 * @param instances number of instances of the program
 */
public record Passes(boolean fuse, FusionLimits limits, boolean automaticSync, int instances) {
    /**
     * Compiles a program.
     *
     * @param declared the plan without blocks
     * @param steps of each rank's blocks
     * @return a valid plan
     */
    public Plan compile(Plan declared, List<List<List<BlockStep>>> steps) {
        Instances replication = new Instances(instances);
        List<RankPlan> ranks = new ArrayList<>();
        Map<Operation, Operation> small = new HashMap<>();
        for (RankPlan rank : declared.ranks()) {
            ChunkRanges ranges = new ChunkRanges(declared, rank);
            List<List<BlockStep>> blocks = steps.get(rank.rank()).stream()
                    .map(block -> compile(block, ranges))
                    .toList();
            ranks.add(withBlocks(replication.replicate(rank), replication.replicateBlocks(blocks), small));
        }
        Plan plan = declared.withRanks(ranks);
        PlanValidator.validate(plan);
        return plan;
    }

    /** The steps of a block before replication. */
    List<BlockStep> compile(List<BlockStep> block, ChunkRanges ranges) {
        List<BlockStep> cut = ReductionCuts.cut(block, ranges, limits);
        List<BlockStep> synced = SyncInsertion.insert(fuse ? new Fusion(ranges, limits).fuse(cut) : cut);
        return automaticSync ? Hazards.insertSyncs(synced, new PlainAccesses(ranges)) : synced;
    }

    private static RankPlan withBlocks(RankPlan rank, List<List<BlockStep>> blocks, Map<Operation, Operation> small) {
        List<ThreadBlock> lowered = IntStream.range(0, blocks.size())
                .mapToObj(id -> BlockLowering.lower(id, blocks.get(id), small))
                .toList();
        return rank.withThreadBlocks(lowered);
    }
}

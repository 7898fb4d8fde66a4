package org.mscclj.plan.pass;

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
 * The passes, in order.
 *
 * @param fuse whether neighbours are fused
 * @param limits how much an operation may do
 * @param automaticMeets whether the block's threads meet where data demands it
 * @param instances how often the program is replicated
 */
public record Passes(boolean fuse, FusionLimits limits, boolean automaticMeets, int instances) {
    /**
     * Compiles a program.
     *
     * @param declared the plan without blocks
     * @param steps of each rank's blocks
     * @return a valid plan
     */
    public Plan compile(Plan declared, List<List<List<Step>>> steps) {
        Instances replication = new Instances(instances);
        List<RankPlan> ranks = new ArrayList<>();
        Map<Operation, Operation> small = new HashMap<>();
        for (RankPlan rank : declared.ranks()) {
            Places places = new Places(declared, rank);
            List<List<Step>> blocks = steps.get(rank.rank()).stream()
                    .map(block -> compile(block, places))
                    .toList();
            ranks.add(withBlocks(replication.replicate(rank), replication.replicateBlocks(blocks), small));
        }
        Plan plan = declared.withRanks(ranks);
        PlanValidator.validate(plan);
        return plan;
    }

    /** What becomes of a block's steps before the program is replicated. */
    List<Step> compile(List<Step> block, Places places) {
        List<Step> cut = ReductionCuts.cut(block, places, limits);
        List<Step> met = Meets.insert(fuse ? new Fusion(places, limits).fuse(cut) : cut);
        return automaticMeets ? Hazards.insertMeets(met, new PlainAccesses(places)) : met;
    }

    private static RankPlan withBlocks(RankPlan rank, List<List<Step>> blocks, Map<Operation, Operation> small) {
        List<ThreadBlock> lowered = IntStream.range(0, blocks.size())
                .mapToObj(id -> BlockLowering.lower(id, blocks.get(id), small))
                .toList();
        return rank.withThreadBlocks(lowered);
    }
}

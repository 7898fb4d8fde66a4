package org.mscclj.plan;

import java.util.List;
import org.mscclj.api.error.PlainText;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.validation.PlanValidator;

/**
 * The immutable model of an execution plan. Plans from {@link org.mscclj.plan.json.PlanReader}, or that
 * {@link PlanValidator} has accepted, are well formed: every index is in range.
 *
 * @param name identity of the plan
 * @param collective the collective that it computes
 * @param protocol content of scratch
 * @param inPlace whether input and output share memory
 * @param reuseResources whether contexts are shared over buffers
 * @param threadsPerBlock threads of a block on a GPU
 * @param doubleScratch whether scratch has two halves, used alternately
 * @param bufferAlignment granularity of a chunk, in bytes
 * @param minMessageSize least accepted size, in bytes, unsigned
 * @param maxMessageSize greatest accepted size, in bytes, unsigned, inclusive
 * @param ranks the plans of all ranks, in rank order
 */
public record Plan(
        String name,
        Collective collective,
        Protocol protocol,
        boolean inPlace,
        boolean reuseResources,
        int threadsPerBlock,
        boolean doubleScratch,
        int bufferAlignment,
        long minMessageSize,
        long maxMessageSize,
        List<RankPlan> ranks)
        implements ExecutionPlan {
    /** Copies the list. */
    public Plan {
        ranks = List.copyOf(ranks);
    }

    /** The name for messages and tables: in one line, without control characters, and shortened. */
    public String label() {
        return PlainText.brief(name);
    }

    /** This plan with other ranks. */
    public Plan withRanks(List<RankPlan> others) {
        return new Plan(
                name,
                collective,
                protocol,
                inPlace,
                reuseResources,
                threadsPerBlock,
                doubleScratch,
                bufferAlignment,
                minMessageSize,
                maxMessageSize,
                others);
    }

    /** The operation at an address of this plan. */
    public Operation operation(OperationAddress address) {
        Operation outer = ranks.get(address.rank())
                .threadBlocks()
                .get(address.block())
                .operations()
                .get(address.position());
        return address.inner().isPresent() && outer instanceof Operation.Pipeline pipeline
                ? pipeline.operations().get(address.inner().getAsInt())
                : outer;
    }

    @Override
    public int worldSize() {
        return ranks.size();
    }

    @Override
    public boolean usesPackets() {
        return protocol.packets();
    }
}

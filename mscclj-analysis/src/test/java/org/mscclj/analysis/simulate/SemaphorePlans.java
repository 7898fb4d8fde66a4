package org.mscclj.analysis.simulate;

import java.util.List;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;

/** Plans in which one block of a rank waits for another by a semaphore. */
final class SemaphorePlans {
    private SemaphorePlans() {}

    /**
     * The plan with two other blocks on rank 0: the first uses a nop and releases, the second acquires and uses a nop.
     */
    static Plan handOver(Plan plan) {
        return handOver(plan, 0);
    }

    /** The same, with a semaphore that has an initial value. */
    static Plan handOver(Plan plan, int initial) {
        Operation release = new Operation.SemaphoreRelease(List.of(0));
        Operation acquire = new Operation.SemaphoreAcquire(List.of(0));
        Operation nop = new Operation.Nop();
        RankPlan rank = plan.ranks().getFirst();
        RankPlan other = new RankPlan(
                0,
                rank.inputChunks(),
                rank.outputChunks(),
                rank.scratchChunks(),
                List.of(block(0, nop, release), block(1, acquire, nop)),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(initial));
        return new Plan(
                plan.name(),
                plan.collective(),
                plan.protocol(),
                plan.inPlace(),
                plan.reuseResources(),
                plan.threadsPerBlock(),
                plan.doubleScratch(),
                plan.bufferAlignment(),
                plan.minMessageSize(),
                plan.maxMessageSize(),
                List.of(other));
    }

    private static ThreadBlock block(int id, Operation... operations) {
        return new ThreadBlock(id, List.of(operations), List.of(), List.of(), List.of(), List.of(), List.of());
    }
}

package org.mscclj.analysis.simulate;

import java.util.List;
import org.mscclj.analysis.simulate.timeline.Dependency;

/** A block that acquires several semaphores, one after the other, and waits for each that is not available. */
final class SemaphoreWait implements Pending {
    private final SimulatedBlock block;
    private final SimulatedRank rank;
    private final List<Integer> ids;
    private final double cost;
    private int taken;

    SemaphoreWait(SimulatedBlock block, SimulatedRank rank, List<Integer> ids, double cost) {
        this.block = block;
        this.rank = rank;
        this.ids = ids;
        this.cost = cost;
    }

    /** Acquires the remaining semaphores in order; returns whether all are acquired. */
    boolean take() {
        while (taken < ids.size()) {
            if (!rank.semaphore(ids.get(taken)).acquire(this)) {
                return false;
            }
            taken++;
        }
        return true;
    }

    /**
     * Notifies the wait that one semaphore is acquired.
     *
     * @param by the span that released it
     * @param waited whether the block had to wait for the release
     */
    void notifyArrival(int by, boolean waited) {
        block.dependsOn(by, Dependency.Kind.SEMAPHORE);
        if (waited) {
            taken++;
            if (take()) {
                block.resume(by, cost);
            }
        }
    }

    @Override
    public String describe() {
        return "for semaphore " + ids.get(taken) + " to be released";
    }
}

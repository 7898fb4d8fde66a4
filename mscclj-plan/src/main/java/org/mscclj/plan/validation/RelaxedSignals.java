package org.mscclj.plan.validation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;

/**
 * Finds relaxed signals where a release is needed: the block, or one that it follows through a barrier or semaphore,
 * has stored into a peer's memory, and no full signal has released that store since. Taken literally, such a plan has a
 * race; engines raise those signals to full ones, and strict verification refuses the plan.
 *
 * <p>Packets validate themselves, and a port channel orders the data it moves; neither counts as a store. An operation
 * on a port channel releases what precedes it, as a full signal does.
 */
public final class RelaxedSignals {
    private RelaxedSignals() {}

    /**
     * The relaxed signals of a plan that must release.
     *
     * @param plan a valid plan
     * @return their addresses, in the order of ranks, blocks and operations; empty if there are none
     */
    public static List<OperationAddress> needingRelease(Plan plan) {
        List<OperationAddress> found = new ArrayList<>();
        for (RankPlan rank : plan.ranks()) {
            found.addAll(new ReleaseWalk(rank).run());
        }
        return Collections.unmodifiableList(found);
    }
}

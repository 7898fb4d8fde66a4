package org.mscclj.runtime.execution;

import java.util.EnumSet;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;

/** Whose buffers the ranks of a plan access; the same on all ranks, since it depends on the plan alone. */
public final class BufferAccess {
    private BufferAccess() {}

    /** Whether some rank accesses another's input or output through mapped memory, so that these must be known to peers. */
    static boolean mapsBuffers(Plan plan) {
        return plan.ranks().stream().anyMatch(BufferAccess::mapsBuffers);
    }

    private static boolean mapsBuffers(RankPlan rank) {
        return rank.remoteBuffers().stream()
                        .anyMatch(buffer -> buffer.buffer() != BufferType.SCRATCH
                                && buffer.accessTypes().contains(ChannelType.MEMORY))
                || rank.switchGroups().stream().anyMatch(group -> group.buffer() != BufferType.SCRATCH);
    }

    /** Whether peers access nothing but scratch, so that a rank's buffers are its own affair. */
    public static boolean onlyScratch(Plan plan) {
        return !mapsBuffers(plan) && EnumSet.of(BufferType.SCRATCH).containsAll(PortUse.of(plan));
    }
}

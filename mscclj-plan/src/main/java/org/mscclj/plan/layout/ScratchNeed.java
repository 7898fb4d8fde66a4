package org.mscclj.plan.layout;

import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;

/** The scratch that a plan needs on the rank that needs the most; equal on all ranks. */
public final class ScratchNeed {
    private ScratchNeed() {}

    /** Bytes of scratch for each byte of payload of a slot, flags and both halves included; 0 without scratch. */
    public static long bytesForEach(Plan plan) {
        long chunks =
                plan.ranks().stream().mapToLong(RankPlan::scratchChunks).max().orElse(0);
        return chunks * plan.protocol().scratchFactor() * (plan.doubleScratch() ? 2 : 1);
    }

    /**
     * Bytes of scratch with slots of the least size, which serve messages of any size in rounds; {@link Long#MAX_VALUE}
     * if there are more.
     */
    public static long leastBytes(Plan plan) {
        long each = bytesForEach(plan);
        return each > Long.MAX_VALUE / plan.bufferAlignment() ? Long.MAX_VALUE : each * plan.bufferAlignment();
    }
}

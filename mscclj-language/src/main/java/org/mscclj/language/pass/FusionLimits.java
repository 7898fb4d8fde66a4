package org.mscclj.language.pass;

import org.mscclj.plan.validation.MscclppLimits;

/**
 * Limits of one operation. Fusion does not exceed them, and longer reductions of a program are split.
 *
 * @param ids greatest number of channels of a port operation or of a synchronising operation, and of semaphores
 * @param references greatest number of sources, and of destinations
 */
public record FusionLimits(int ids, int references) {
    /** The limits of MSCCL++'s executor, which does not check them. */
    public static final FusionLimits MSCCLPP =
            new FusionLimits(MscclppLimits.IDS_OF_AN_OPERATION, MscclppLimits.REFERENCES_OF_AN_OPERATION);

    /** No limits. */
    public static final FusionLimits NONE = new FusionLimits(Integer.MAX_VALUE, Integer.MAX_VALUE);
}

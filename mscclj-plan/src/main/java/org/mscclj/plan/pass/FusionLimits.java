package org.mscclj.plan.pass;

import org.mscclj.plan.validation.MscclppLimits;

/**
 * How much one operation may do: what would be more is not fused, and a reduction that a program itself makes longer is
 * cut.
 *
 * @param ids most channels of an operation over port channels, or that synchronises, and most semaphores
 * @param references most sources, and most destinations
 */
public record FusionLimits(int ids, int references) {
    /** What MSCCL++'s executor has room for; it does not check. */
    public static final FusionLimits MSCCLPP =
            new FusionLimits(MscclppLimits.IDS_OF_AN_OPERATION, MscclppLimits.REFERENCES_OF_AN_OPERATION);

    /** Everything that can be one operation is. */
    public static final FusionLimits NONE = new FusionLimits(Integer.MAX_VALUE, Integer.MAX_VALUE);
}

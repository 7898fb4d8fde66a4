package org.mscclj.plan.pass;

/**
 * How much one operation may do: what would be more is not fused, and a reduction that a program itself makes longer is cut.
 *
 * @param ids most channels of an operation over port channels, or that synchronises, and most semaphores
 * @param references most sources, and most destinations
 */
public record FusionLimits(int ids, int references) {
    /** What MSCCL++'s executor has room for; it does not check. */
    public static final FusionLimits MSCCLPP = new FusionLimits(8, 10);

    /** Everything that can be one operation is. */
    public static final FusionLimits NONE = new FusionLimits(Integer.MAX_VALUE, Integer.MAX_VALUE);
}

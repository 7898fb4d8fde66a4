package org.mscclj.plan.simulate;

/**
 * What went through a link.
 *
 * @param link name of the link, for example {@code rank 3 out}
 * @param bandwidth bytes per nanosecond
 * @param bytes bytes, with what packets add to data
 * @param busy nanoseconds during which something was on its way
 */
public record LinkUse(String link, double bandwidth, long bytes, double busy) {
    /** Nanoseconds that it needs at least for what went through it. */
    public double load() {
        return bytes / bandwidth;
    }
}

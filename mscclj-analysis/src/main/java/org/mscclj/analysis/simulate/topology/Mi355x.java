package org.mscclj.analysis.simulate.topology;

/**
 * GPUs AMD MI355X, each of which has a link to each other. Nothing was measured. Costs are those that were chosen for
 * {@link Mi300x}.
 */
final class Mi355x {
    /**
     * Bytes a nanosecond, chosen: the part of a link that AMD calls usable on the MI300X, three quarters, of the 76.8
     * that this link moves one way, half of the 153.6 GB/s both ways that are published for it.
     */
    private static final double LINK = 57.6;

    /** Bytes a nanosecond, nominal: the 8 TB/s that AMD announced. */
    private static final double MEMORY = 8000;

    /** Nanoseconds, chosen: that of the MI300X. */
    private static final double LATENCY = 1000;

    static final Fabric FABRIC = new Fabric.PointToPoint(LINK, MEMORY, LATENCY);

    private Mi355x() {}
}

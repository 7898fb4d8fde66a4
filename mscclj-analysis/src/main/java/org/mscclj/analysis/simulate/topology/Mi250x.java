package org.mscclj.analysis.simulate.topology;

/**
 * Four modules AMD MI250X of two GPUs each. Nothing was measured. Costs are those that were chosen for {@link Mi300x}.
 *
 * <p>The machine has links of one, two and four times 16 lanes, between 12 of the 28 pairs of GPUs. The other pairs
 * send over two of them. No {@link Fabric} has this form, so this is a model of the machine: every pair has a link of
 * its own of equal width. The two GPUs of a module are therefore slower here than they are, and pairs with a shared
 * path may be faster. Predictions for two GPUs of one module, or for orders of ranks, have no meaning.
 */
final class Mi250x {
    /** Bytes a nanosecond, nominal: 50 GB/s one way of a link of 16 lanes at 25 GT/s, by ROCm's page on the MI250. */
    private static final double SINGLE = 50;

    /** Links of one width, between two halves of the machine, chosen: as in the nodes of Frontier and LUMI. */
    private static final int LINKS_BETWEEN_HALVES = 6;

    /** Pairs of which each half has one GPU. */
    private static final int PAIRS_BETWEEN_HALVES = 16;

    /**
     * Bytes a nanosecond, chosen: three quarters of a pair's share of what the links between two halves move. Programs
     * of all pairs are as fast as these links permit.
     */
    private static final double LINK = 0.75 * SINGLE * LINKS_BETWEEN_HALVES / PAIRS_BETWEEN_HALVES;

    /** Bytes a nanosecond, nominal: 1.6 TB/s for each GPU of a module, by ROCm's page on the MI250. */
    private static final double MEMORY = 1600;

    /** Nanoseconds, chosen: more than that of the MI300X, since most pairs are two hops apart. */
    private static final double LATENCY = 1500;

    static final Fabric FABRIC = new Fabric.PointToPoint(LINK, MEMORY, LATENCY);

    private Mi250x() {}
}

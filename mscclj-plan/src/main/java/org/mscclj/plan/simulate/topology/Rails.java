package org.mscclj.plan.simulate.topology;

/**
 * What joins nodes: every rank has an adapter of its own, with a link out and a link in, and the network between them
 * is never the bottleneck.
 *
 * @param bandwidth of each link, bytes per nanosecond
 * @param latency nanoseconds from the start of a write until the other rank can see its first byte
 */
public record Rails(double bandwidth, double latency) {
    /** Checks the numbers. */
    public Rails {
        Positive.bandwidth("rails bandwidth", bandwidth);
        Positive.nanos("rails latency", latency);
    }
}

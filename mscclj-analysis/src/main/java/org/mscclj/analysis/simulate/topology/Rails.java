package org.mscclj.analysis.simulate.topology;

/**
 * The connection of nodes: every rank has its own adapter with one link out and one link in. The network between
 * adapters is never the bottleneck.
 *
 * @param bandwidth bytes per nanosecond of each link
 * @param latency nanoseconds from the start of a write until the other rank can see its first byte
 */
public record Rails(double bandwidth, double latency) {
    /** Checks the numbers. */
    public Rails {
        Positive.bandwidth("rails bandwidth", bandwidth);
        Positive.nanos("rails latency", latency);
    }
}

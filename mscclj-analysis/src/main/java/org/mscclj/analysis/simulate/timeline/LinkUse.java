package org.mscclj.analysis.simulate.timeline;

/**
 * The traffic of one link.
 *
 * @param link name of the link, for example {@code rank 3 out}
 * @param bandwidth bytes per nanosecond
 * @param bytes bytes including the overhead of packets
 * @param busy nanoseconds during which data was in flight
 */
public record LinkUse(String link, double bandwidth, long bytes, double busy) {
    /** Nanoseconds that the bytes take at full bandwidth. */
    public double load() {
        return bytes / bandwidth;
    }
}

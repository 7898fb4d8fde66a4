package org.mscclj.analysis.simulate.timeline;

/**
 * A dependency between two spans: the second waited for the first, or could have waited. The order of operations within
 * a block is not listed.
 *
 * @param from index of the span that must end first
 * @param to index of the span that waits
 * @param kind what the second span waits for
 */
public record Dependency(int from, int to, Kind kind) {
    /** What a span waits for. */
    public enum Kind {
        /** A signal on a channel. */
        SIGNAL,
        /** Packets, which carry their own flags. */
        PACKETS,
        /** A semaphore of the rank. */
        SEMAPHORE,
        /** A barrier of blocks. */
        BARRIER,
        /** A request that a block hands to the proxy of a port channel, or a flush. */
        PROXY
    }
}

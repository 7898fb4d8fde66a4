package org.mscclj.plan.simulate;

/**
 * One span made another wait, or could have. The order of operations within a block is not listed.
 *
 * @param from index of the span that must have ended
 * @param to index of the span that waits for it
 * @param kind by what the one tells the other
 */
public record Dependency(int from, int to, Kind kind) {
    /** By what one operation tells another that it may go on. */
    public enum Kind {
        /** A signal on a channel. */
        SIGNAL,
        /** Packets, which say of themselves that they are there. */
        PACKETS,
        /** A semaphore of the rank. */
        SEMAPHORE,
        /** A barrier of blocks. */
        BARRIER,
        /** A block hands work to the proxy of a port channel, or waits for a flush. */
        PROXY
    }
}

package org.mscclj.analysis.simulate;

import org.mscclj.analysis.simulate.flow.LinkUsage;

/**
 * A request of a block to the proxy.
 *
 * @param channel port channel of the rank
 * @param span span under which it is logged
 * @param bytes bytes to move; 0 for a signal alone
 * @param rate greatest rate in bytes per nanosecond, independent of links
 * @param usage links used for each byte
 * @param arrival runs when the data is visible at the destination
 * @param signals whether a signal follows the data
 */
record ProxyTask(int channel, int span, long bytes, double rate, LinkUsage usage, Runnable arrival, boolean signals) {
    /** A signal alone. */
    static ProxyTask signal(int channel, int span) {
        return new ProxyTask(channel, span, 0, Double.POSITIVE_INFINITY, new LinkUsage(), () -> {}, true);
    }
}

package org.mscclj.plan.simulate;

import org.mscclj.plan.simulate.flow.Usage;

/**
 * What a proxy does for a block.
 *
 * @param channel the rank's port channel
 * @param span what it is logged as
 * @param bytes bytes that it moves; 0 for a signal alone
 * @param rate bytes per nanosecond at most, whatever links allow
 * @param usage links that it takes for each byte
 * @param arrival is called when what it has moved can be seen
 * @param signals whether it signals after that
 */
record ProxyTask(int channel, int span, long bytes, double rate, Usage usage, Runnable arrival, boolean signals) {
    /** A signal alone. */
    static ProxyTask signal(int channel, int span) {
        return new ProxyTask(channel, span, 0, Double.POSITIVE_INFINITY, new Usage(), () -> {}, true);
    }
}

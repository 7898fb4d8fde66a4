package org.mscclj.analysis.simulate.timeline;

import org.mscclj.plan.OperationAddress;

/**
 * One execution of one operation by a thread block, or its part executed by the proxy of a port channel.
 *
 * @param address address of the operation
 * @param iteration iteration of the pipeline, from 0; 0 outside pipelines
 * @param byProxy whether the proxy of a port channel executes it, after the block has handed it over
 * @param start its beginning, in nanoseconds since the launch
 * @param ready time at which all that it waited for had arrived; {@code start} if it waited for nothing
 * @param end its end
 * @param bytes bytes moved; 0 if it moves none
 */
public record Span(
        OperationAddress address, int iteration, boolean byProxy, double start, double ready, double end, long bytes) {
    /** Checks the order of times. */
    public Span {
        if (!(0 <= start && start <= ready && ready <= end)) {
            throw new IllegalArgumentException(
                    address + ": start " + start + ", ready " + ready + " and end " + end + " are not in this order");
        }
    }

    /** Nanoseconds of waiting. */
    public double waited() {
        return ready - start;
    }
}

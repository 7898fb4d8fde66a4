package org.mscclj.plan.simulate;

import org.mscclj.plan.OperationAddress;

/**
 * One execution of one operation by one thread block, or what the proxy of a port channel does of it.
 *
 * @param address the operation
 * @param iteration the pipeline's iteration, from 0; 0 outside pipelines
 * @param byProxy whether the proxy of a port channel does it, after the block has handed it over
 * @param start when it began, nanoseconds since the launch
 * @param ready when what it waited for had come; {@code start} if it waited for nothing
 * @param end when it had ended
 * @param bytes bytes that it moved; 0 if it moved none
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

    /** Nanoseconds that it waited. */
    public double waited() {
        return ready - start;
    }
}

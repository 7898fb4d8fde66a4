package org.mscclj.gpu.queue;

import java.util.concurrent.atomic.AtomicLongArray;
import org.mscclj.spi.engine.LaunchOrder;

/**
 * Limits the launches and kernels of one communicator that are in flight on one rank. With about 1,000 pending kernels
 * the driver's calls block, and they block for ever if a rank is missing.
 */
final class LaunchCapacity {
    /** The maximum of launches in flight, and of their kernels. */
    static final int MAX_IN_FLIGHT = 512;

    private final LaunchOrder order;

    /** The number of kernels enqueued up to each of the latest launches, by ticket. */
    private final AtomicLongArray kernelsUpTo = new AtomicLongArray(MAX_IN_FLIGHT);

    private volatile long kernels;

    LaunchCapacity(LaunchOrder order) {
        this.order = order;
    }

    /**
     * Whether this many more kernels may be enqueued. Any thread may call this. Several threads that see the last
     * capacity may all take it; the driver has capacity in reserve for that.
     */
    boolean has(long more) {
        long over = order.endedCount(); // first: overestimates what is in flight rather than underestimates it
        if (order.taken() - over >= MAX_IN_FLIGHT) {
            return false;
        }
        long inFlight = kernels - kernelsUpTo.get((int) (over % MAX_IN_FLIGHT));
        return inFlight <= 0 || inFlight + more <= MAX_IN_FLIGHT;
    }

    /**
     * Adds the kernels of a launch before it takes its ticket. Only one thread at a time may call this and
     * {@link #taken}.
     */
    void enqueue(long more) {
        long upTo = kernels + more;
        kernels = upTo; // no other thread writes it
    }

    /** Records the ticket of the launch that was enqueued last. */
    void taken(long ticket) {
        kernelsUpTo.set((int) (ticket % MAX_IN_FLIGHT), kernels);
    }
}

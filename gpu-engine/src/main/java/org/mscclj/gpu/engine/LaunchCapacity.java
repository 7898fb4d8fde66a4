package org.mscclj.gpu.engine;

import java.util.concurrent.atomic.AtomicLongArray;
import org.mscclj.spi.engine.LaunchOrder;

/**
 * How much of one communicator is in flight on one rank: about 1,000 pending kernels make the driver's calls wait, for
 * ever if a rank is missing.
 */
final class LaunchCapacity {
    /** Launches in flight, and their kernels. */
    static final int MOST_IN_FLIGHT = 512;

    private final LaunchOrder order;

    /** Kernels enqueued up to each of the latest launches, by its ticket. */
    private final AtomicLongArray kernelsUpTo = new AtomicLongArray(MOST_IN_FLIGHT);

    private volatile long kernels;

    LaunchCapacity(LaunchOrder order) {
        this.order = order;
    }

    /** Asked by any thread: of several who see the last room all may take it, for which the driver has room left. */
    boolean has(long more) {
        long over = order.endedCount(); // before what has been taken: too many are in flight rather than too few
        if (order.taken() - over >= MOST_IN_FLIGHT) {
            return false;
        }
        long inFlight = kernels - kernelsUpTo.get((int) (over % MOST_IN_FLIGHT));
        return inFlight <= 0 || inFlight + more <= MOST_IN_FLIGHT;
    }

    /**
     * Says that a launch will have so many kernels, before it takes its ticket. One thread at a time, {@link #taken}
     * included.
     */
    void enqueue(long more) {
        long upTo = kernels + more;
        kernels = upTo; // nobody else writes it
    }

    /** Says which ticket the launch has taken that was enqueued last. */
    void taken(long ticket) {
        kernelsUpTo.set((int) (ticket % MOST_IN_FLIGHT), kernels);
    }
}

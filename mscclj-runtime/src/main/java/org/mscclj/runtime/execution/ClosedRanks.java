package org.mscclj.runtime.execution;

import org.mscclj.spi.engine.LaunchOrder;

/** Finds out whether launches wait for a rank that has closed its communicator, and so never end. */
final class ClosedRanks {
    /** How often who waits looks: what it waits for in vain is still in flight a look later. */
    static final long LOOK_NANOS = 50_000_000;

    private ClosedRanks() {}

    /**
     * The launch of all ranks that a launch in flight waits for, or is, and that a rank has closed without having made. Allocates nothing where nobody has closed.
     *
     * @param alone whether only some ranks make the launch in flight
     * @return its number; 0 if there is none
     */
    static long awaited(ExecutionEnvironment environment, boolean alone) {
        LaunchOrder order = environment.order();
        long first = order.endedShared() + 1;
        if (environment.control().closedBefore(first) < 0 || first > order.shared()) {
            return 0;
        }
        boolean isAhead = !alone
                || environment
                        .recorder()
                        .firstInFlight()
                        .filter(place -> !place.messages())
                        .isPresent();
        return isAhead ? first : 0;
    }
}

package org.mscclj.runtime.recorder;

import java.time.Duration;
import org.mscclj.runtime.time.Deadline;

/**
 * Time budget of a thread that inspects many launches: the total time that it waits for drivers, however many of them
 * are stuck. Safe for use by several threads.
 */
public final class DriverBudget {
    /**
     * Timeout of each further driver when the budget is used up: it may answer at once, unlike the drivers that have
     * used the budget up.
     */
    private static final Duration MIN = Duration.ofMillis(10);

    private final Deadline deadline;

    /** Creates a budget that ends after this time, counted from now. */
    public DriverBudget(Duration limit) {
        this.deadline = Deadline.after(limit);
    }

    /** Returns the timeout of the next driver. */
    Duration left() {
        Duration left = Duration.ofNanos(deadline.left());
        return left.compareTo(MIN) < 0 ? MIN : left;
    }
}

package org.mscclj.runtime.recorder;

import java.time.Duration;
import org.mscclj.runtime.time.Deadline;

/**
 * How long who looks at many launches waits for drivers in all, however many of them are stuck. Safe for use by several
 * threads.
 */
public final class DriverPatience {
    /**
     * When the time is over each driver has this much more: others than those that have used it up may answer at once.
     */
    private static final Duration LEAST = Duration.ofMillis(10);

    private final Deadline deadline;

    /** A patience that ends so long from now. */
    public DriverPatience(Duration limit) {
        this.deadline = Deadline.after(limit);
    }

    /** How long the next driver may take. */
    Duration left() {
        Duration left = Duration.ofNanos(deadline.left());
        return left.compareTo(LEAST) < 0 ? LEAST : left;
    }
}

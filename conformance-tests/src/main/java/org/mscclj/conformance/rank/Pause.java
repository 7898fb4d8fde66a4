package org.mscclj.conformance.rank;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.mscclj.conformance.task.RunningClock;

/** Time in which a rank does nothing on purpose; time in which its process stands still does not count. */
final class Pause {
    private static final long LOOK_NANOS = 2_000_000;

    private Pause() {}

    /** Does nothing for so long. */
    static void of(Duration length) {
        until(() -> false, length);
    }

    /** Does nothing until something is so, or for so long; returns whether it is. */
    static boolean until(BooleanSupplier condition, Duration most) {
        long end = RunningClock.nanoTime() + most.toNanos();
        while (!condition.getAsBoolean()) {
            long left = end - RunningClock.nanoTime();
            if (left <= 0) {
                return false;
            }
            LockSupport.parkNanos(Math.min(left, LOOK_NANOS));
        }
        return true;
    }
}

package org.mscclj.conformance.rank;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.mscclj.conformance.task.RunningClock;
import org.mscclj.spi.waiting.Backoff;

/** Pauses a rank on purpose. Time in which its process does not run does not count. */
public final class Pause {
    private static final long LOOK_NANOS = 2_000_000;

    private Pause() {}

    /** Pauses for this duration. */
    public static void of(Duration length) {
        until(() -> false, length);
    }

    /** Pauses until a condition holds, at most for this duration; returns whether it holds. */
    public static boolean until(BooleanSupplier condition, Duration most) {
        long end = RunningClock.nanoTime() + most.toNanos();
        while (!condition.getAsBoolean()) {
            long left = end - RunningClock.nanoTime();
            if (left <= 0) {
                return false;
            }
            Backoff.nap(Math.min(left, LOOK_NANOS));
        }
        return true;
    }
}

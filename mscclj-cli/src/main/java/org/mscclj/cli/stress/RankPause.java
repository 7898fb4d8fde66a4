package org.mscclj.cli.stress;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.mscclj.api.Communicator;

/** Pauses a rank. */
final class RankPause {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private RankPause() {}

    /** Waits for some time, or until the communicator is aborted; returns whether it is. */
    static boolean stay(Communicator communicator, Duration time) {
        long start = System.nanoTime();
        while (!communicator.isAborted() && System.nanoTime() - start < time.toNanos()) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return communicator.isAborted();
    }
}

package org.mscclj.cli.stress;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.mscclj.api.Communicator;

/** A rank that does nothing for a while. */
final class Away {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private Away() {}

    /** Returns after some time, or as soon as the communicator is aborted; tells whether it is. */
    static boolean stay(Communicator communicator, Duration time) {
        long start = System.nanoTime();
        while (!communicator.isAborted() && System.nanoTime() - start < time.toNanos()) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return communicator.isAborted();
    }
}

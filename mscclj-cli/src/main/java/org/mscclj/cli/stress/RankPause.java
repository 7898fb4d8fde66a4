package org.mscclj.cli.stress;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.mscclj.api.Communicator;
import org.mscclj.spi.waiting.Backoff;

/** Pauses a rank. */
final class RankPause {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private RankPause() {}

    /** Waits for some time, or until the communicator is aborted; returns whether it is. */
    static boolean stay(Communicator communicator, Duration time) {
        Backoff backoff = Backoff.every(LOOK_NANOS);
        backoff.start(time);
        return backoff.awaitUninterruptibly(communicator::isAborted);
    }
}

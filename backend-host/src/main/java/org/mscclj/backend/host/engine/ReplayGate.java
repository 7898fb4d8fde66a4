package org.mscclj.backend.host.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * Replays of graphs with launches of a context: how many are under way, and whether more are allowed. Safe for use by
 * several threads.
 *
 * <p>None slips through: a replay is counted before it asks whether it is refused, and who refuses looks at the count
 * afterwards; both are volatile.
 */
final class ReplayGate {
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final AtomicInteger underWay = new AtomicInteger();
    private volatile boolean refusing;

    /**
     * A replay is about to be enqueued. Allocates nothing.
     *
     * @throws InvalidArgumentException if none is allowed any more
     */
    void begin() {
        underWay.incrementAndGet();
        if (refusing) {
            underWay.decrementAndGet();
            throw new InvalidArgumentException(
                    "a communicator of which this graph has launches is closed; close communicators after the"
                            + " graphs that use them");
        }
    }

    /** A replay has ended. */
    void end() {
        underWay.decrementAndGet();
    }

    /**
     * Refuses replays from now on, and waits for those under way; false if one had not ended in time. An interrupt does
     * not cut it short, and stays.
     */
    boolean refuse(long nanos) {
        refusing = true;
        boolean interrupted = Thread.interrupted();
        long start = System.nanoTime();
        while (underWay.get() > 0 && System.nanoTime() - start < nanos) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return underWay.get() == 0;
    }
}

package org.mscclj.backend.host.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.waiting.Backoff;

/**
 * Counts the replays in flight of graphs with launches of a context, and refuses new ones once it is closed. Safe for
 * use by several threads.
 *
 * <p>No replay escapes: a replay is counted before it checks whether replays are refused, and the refusing thread reads
 * the count after it has set the refusal; both are volatile.
 */
final class ReplayGate {
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final AtomicInteger underWay = new AtomicInteger();
    private volatile boolean refusing;

    /**
     * Registers a replay that is about to be enqueued. Allocates nothing.
     *
     * @throws InvalidArgumentException if replays are refused
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

    /** Registers the end of a replay. */
    void end() {
        underWay.decrementAndGet();
    }

    /**
     * Refuses replays from now on, and waits for replays in flight; false if one had not ended in time. An interrupt
     * does not shorten the wait, and the thread stays interrupted.
     */
    boolean refuse(long nanos) {
        refusing = true;
        Backoff backoff = Backoff.every(PAUSE_NANOS);
        backoff.start(nanos);
        return backoff.awaitUninterruptibly(() -> underWay.get() == 0);
    }
}

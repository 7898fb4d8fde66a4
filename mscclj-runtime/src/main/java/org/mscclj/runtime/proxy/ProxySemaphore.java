package org.mscclj.runtime.proxy;

import java.util.OptionalInt;
import org.mscclj.spi.proxy.TriggerFifo;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;

/**
 * State of a semaphore id: the destination of its transfers, their progress, and the flushes that wait for them. Used
 * under the agent's claim.
 *
 * <p>Any number of flushes may wait, but only two are stored: the next one to be answered, which does not change, and
 * the latest, which stands for all after the first. So a flush waits at most for what was posted before the flush ahead
 * of it was answered, and a pusher that flushes again and again cannot delay it for ever.
 */
final class ProxySemaphore {
    private static final long NONE = -1;

    private final int id;
    private final int peer;
    private final TransportConnection connection;
    private final RemoteMemory counters;
    private final long counterOffset;

    /** The connection's position after this semaphore's latest operation. */
    private long posted;

    private long nextFlush = NONE;
    private long nextTarget;
    private long latestFlush = NONE;
    private long latestTarget;

    /** Whether the agent lists this semaphore as in flight. */
    private boolean inFlight;

    ProxySemaphore(int id, int peer, TransportConnection connection, RemoteMemory counters, long counterOffset) {
        this.id = id;
        this.peer = peer;
        this.connection = connection;
        this.counters = counters;
        this.counterOffset = counterOffset;
    }

    /** Returns the rank at the other end of the connection. */
    int peer() {
        return peer;
    }

    /** Returns the peer, if the connection reports that it cannot reach the peer any more. */
    OptionalInt lostPeer() {
        return connection.isPeerLost() ? OptionalInt.of(peer) : OptionalInt.empty();
    }

    TransportConnection connection() {
        return connection;
    }

    /**
     * Returns the connection's position after this semaphore's latest operation that is not known to be completed; 0 if
     * there is none.
     */
    long posted() {
        return posted;
    }

    void posted(long position) {
        posted = position;
    }

    void signal() {
        posted = connection.signal(counters, counterOffset);
    }

    /** Adds a flush at this position of the ring. It is answered when everything posted so far is completed. */
    void flush(long position) {
        if (nextFlush == NONE) {
            nextFlush = position;
            nextTarget = posted;
        } else {
            latestFlush = position;
            latestTarget = posted;
        }
    }

    /** Answers the flushes whose transfers are completed; returns their number. */
    int progress(TriggerFifo fifo) {
        if (isIdle()) {
            return 0;
        }
        long completed = connection.completed();
        int answered = 0;
        while (nextFlush != NONE && completed >= nextTarget) {
            fifo.publishFlushed(id, nextFlush + 1);
            nextFlush = latestFlush;
            nextTarget = latestTarget;
            latestFlush = NONE;
            answered++;
        }
        if (nextFlush == NONE && completed >= posted) {
            posted = 0; // nothing to ask the connection about until more is posted
        }
        return answered;
    }

    /** Returns whether everything is completed and every flush answered. */
    boolean isIdle() {
        return posted == 0 && nextFlush == NONE;
    }

    boolean inFlight() {
        return inFlight;
    }

    void inFlight(boolean is) {
        inFlight = is;
    }
}

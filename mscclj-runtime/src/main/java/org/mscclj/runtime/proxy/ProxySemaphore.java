package org.mscclj.runtime.proxy;

import java.util.OptionalInt;
import org.mscclj.spi.proxy.TriggerFifo;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;

/**
 * A semaphore id: where its transfers go, how far they are, and which flushes wait for them. Used under the agent's
 * claim.
 *
 * <p>Any number of flushes may be waiting, yet two are remembered: the one that is answered next, which stays what it
 * is, and the latest, which stands for all after the first. So a flush waits at most for what was posted before the one
 * ahead of it was answered, and a pusher that flushes again and again cannot put it off for ever.
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

    /** Whether the agent has it among those in flight. */
    private boolean inFlight;

    ProxySemaphore(int id, int peer, TransportConnection connection, RemoteMemory counters, long counterOffset) {
        this.id = id;
        this.peer = peer;
        this.connection = connection;
        this.counters = counters;
        this.counterOffset = counterOffset;
    }

    /** The rank that the connection leads to. */
    int peer() {
        return peer;
    }

    /** The peer, if the connection says that it cannot be reached by it any more. */
    OptionalInt lostPeer() {
        return connection.isPeerLost() ? OptionalInt.of(peer) : OptionalInt.empty();
    }

    TransportConnection connection() {
        return connection;
    }

    /**
     * The connection's position after this semaphore's latest operation that is not known to be completed; 0 if there
     * is none.
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

    /** A flush at this position of the ring is to be answered when everything posted so far is completed. */
    void flush(long position) {
        if (nextFlush == NONE) {
            nextFlush = position;
            nextTarget = posted;
        } else {
            latestFlush = position;
            latestTarget = posted;
        }
    }

    /** Answers the flushes whose transfers are completed; returns how many. */
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

    /** Whether everything is completed and every flush answered. */
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

package org.mscclj.backend.host.schedule;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Worker slots that limit the number of threads that work at once. They are taken and returned by volatile
 * read-modify-writes, which are full fences.
 */
final class WorkerSlots {
    static final int MOST = Long.SIZE;

    private final int count;

    /** A bit for each taken seat, so that workers have different numbers and start at different streams. */
    private final AtomicLong taken = new AtomicLong();

    /** Creates {@code count} seats, at most {@value MOST}. */
    WorkerSlots(int count) {
        this.count = count;
    }

    int count() {
        return count;
    }

    /** Number of taken seats. */
    int taken() {
        return Long.bitCount(taken.get());
    }

    /** Takes a seat; returns its number, or −1 if none is free. */
    int enter() {
        while (true) {
            long now = taken.get();
            int seat = Long.numberOfTrailingZeros(~now);
            if (seat >= count) {
                return -1;
            }
            if (taken.compareAndSet(now, now | 1L << seat)) {
                return seat;
            }
        }
    }

    /** Returns a seat. */
    void leave(int seat) {
        taken.getAndAdd(-(1L << seat));
    }
}

package org.mscclj.backend.host.schedule;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What threads need to work, as many as work at once. Taken and given back by volatile read-modify-writes, which are
 * full fences.
 */
final class Seats {
    static final int MOST = Long.SIZE;

    private final int count;

    /** A bit for each seat that is taken, so that workers have different numbers and start at different streams. */
    private final AtomicLong taken = new AtomicLong();

    /** So many, {@value MOST} at most. */
    Seats(int count) {
        this.count = count;
    }

    int count() {
        return count;
    }

    /** How many are taken. */
    int taken() {
        return Long.bitCount(taken.get());
    }

    /** Takes one: its number; −1 if none is free. */
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

    /** Gives one back. */
    void leave(int seat) {
        taken.getAndAdd(-(1L << seat));
    }
}

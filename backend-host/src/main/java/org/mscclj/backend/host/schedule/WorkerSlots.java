package org.mscclj.backend.host.schedule;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Worker slots that limit the number of threads that work at once. They are taken and returned by volatile
 * read-modify-writes, which are full fences.
 */
final class WorkerSlots {
    static final int MAX = Long.SIZE;
    static final int NONE = -1;

    /** The number of times that a thread tries to take the slot of a thread that is about to leave. */
    private static final int SPINS = 200;

    private final int count;

    /** A bit for each taken slot, so that workers have different numbers and start at different streams. */
    private final AtomicLong taken = new AtomicLong();

    /** Number of threads that work only until another thread relieves them. */
    private final AtomicInteger leaving = new AtomicInteger();

    /** Number of threads that wait for a slot in order to relieve its owner. */
    private final AtomicInteger relieving = new AtomicInteger();

    /** Creates {@code count} slots, at most {@value MAX}. */
    WorkerSlots(int count) {
        this.count = count;
    }

    int count() {
        return count;
    }

    /** Number of taken slots. */
    int taken() {
        return Long.bitCount(taken.get());
    }

    /** Takes a slot; returns its number, or {@link #NONE} if none is free. */
    int enter() {
        while (true) {
            long now = taken.get();
            int slot = Long.numberOfTrailingZeros(~now);
            if (slot >= count) {
                return NONE;
            }
            if (taken.compareAndSet(now, now | 1L << slot)) {
                return slot;
            }
        }
    }

    /** Takes a slot like {@link #enter}; waits briefly for one if a thread is about to leave. */
    int enterOrRelieve() {
        int slot = enter();
        if (slot < 0 && leaving.get() > 0) {
            relieving.incrementAndGet();
            for (int i = 0; i < SPINS && slot < 0; i++) {
                Thread.onSpinWait();
                slot = enter();
            }
            relieving.decrementAndGet();
        }
        return slot;
    }

    /** Returns a slot. */
    void leave(int slot) {
        taken.getAndAdd(-(1L << slot));
    }

    /** Announces that the owner of a slot leaves it as soon as {@link #isRelieved} says so. */
    void startLeaving() {
        leaving.incrementAndGet();
    }

    /** Undoes {@link #startLeaving}. */
    void stopLeaving() {
        leaving.decrementAndGet();
    }

    /** Whether a thread waits for the slot of a thread that is about to leave. */
    boolean isRelieved() {
        return relieving.get() > 0;
    }
}

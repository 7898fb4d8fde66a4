package org.mscclj.backend.host.step;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A barrier among blocks of a rank: a count of arrivals that never falls. With {@code n} blocks, the {@code k}-th
 * meeting is over when {@code n·k} have arrived. Arriving releases and seeing the count acquires.
 */
public final class RankBarrier {
    private final int blocks;
    private final AtomicLong arrivals = new AtomicLong();

    /** A barrier of the given number of blocks. */
    public RankBarrier(int blocks) {
        this.blocks = blocks;
    }

    /** Arrives; returns the count at which this meeting is over. */
    long arrive() {
        long before = arrivals.getAndIncrement();
        return (before / blocks + 1) * blocks;
    }

    /** Whether the meeting is over. */
    boolean isOver(long target) {
        return arrivals.get() >= target;
    }
}

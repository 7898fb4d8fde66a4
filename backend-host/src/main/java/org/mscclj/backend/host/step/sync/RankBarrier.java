package org.mscclj.backend.host.step.sync;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A barrier among blocks of a rank: a count of arrivals that never falls. With {@code n} blocks, the {@code k}-th
 * barrier is passed when the count is {@code n·k}. An arrival releases, and a read of the count acquires.
 */
public final class RankBarrier {
    private final int blocks;
    private final AtomicLong arrivals = new AtomicLong();

    /** A barrier of a number of blocks. */
    public RankBarrier(int blocks) {
        this.blocks = blocks;
    }

    /** Arrives; returns the count at which the barrier is passed. */
    public long arrive() {
        long before = arrivals.getAndIncrement();
        return (before / blocks + 1) * blocks;
    }

    /** Whether the barrier is passed. */
    public boolean isOver(long target) {
        return arrivals.get() >= target;
    }
}

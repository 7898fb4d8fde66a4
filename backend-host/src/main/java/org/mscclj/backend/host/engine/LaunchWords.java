package org.mscclj.backend.host.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The words of a launch that tell threads without a claim how far the launch is: its phase, and the number of blocks
 * that have not ended in this round. One thread at a time, under the claim of the stream, moves the phase.
 *
 * <p>Happens-before: a phase is entered with release, after the data of the phase, and read with acquire. The end of a
 * block is a volatile decrement after the block's writes, and {@link #haveBlocksEnded} acquires: the thread that finds
 * the count at 0 sees the writes of all blocks, because decrements are one chain of read-modify-writes, each of which
 * sees the one before.
 */
final class LaunchWords {
    /** The phases of a launch, in their order; the three in the middle repeat for each round. */
    enum Phase {
        IDLE,
        STARTING,
        BLOCKS,
        FLUSHING,
        SCALING
    }

    private static final VarHandle REMAINING;
    private static final VarHandle PHASE;

    static {
        try {
            REMAINING = MethodHandles.lookup().findVarHandle(LaunchWords.class, "remaining", int.class);
            PHASE = MethodHandles.lookup().findVarHandle(LaunchWords.class, "phase", Phase.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Phase phase = Phase.IDLE;

    @SuppressWarnings("unused") // accessed through REMAINING
    private int remaining;

    /** The phase, for the thread that moves it. */
    Phase phase() {
        return phase;
    }

    /** The phase, for any thread; acquires. */
    Phase seenPhase() {
        return (Phase) PHASE.getAcquire(this);
    }

    /** Moves the launch to a phase; releases. */
    void enter(Phase next) {
        PHASE.setRelease(this, next);
    }

    /** Moves the launch to the phase in which this number of blocks run; releases. */
    void enterBlocks(int blocks) {
        REMAINING.setRelease(this, blocks);
        enter(Phase.BLOCKS);
    }

    /** Counts a block that has ended; called by the thread that ran it. */
    void blockEnded() {
        int _ = (int) REMAINING.getAndAdd(this, -1);
    }

    /** Whether all blocks have ended, for the thread that moves the phase; acquires. */
    boolean haveBlocksEnded() {
        return (int) REMAINING.getAcquire(this) == 0;
    }

    /** Whether the phase can move as far as this launch knows, for any thread. */
    boolean mayMove() {
        return seenPhase() != Phase.BLOCKS || (int) REMAINING.getOpaque(this) == 0;
    }
}

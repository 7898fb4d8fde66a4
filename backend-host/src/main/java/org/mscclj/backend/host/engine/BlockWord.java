package org.mscclj.backend.host.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The word of a thread block by which threads take turns at the block.
 *
 * <p>Happens-before: the word is made ready with release and taken by compare-and-set, so that a thread sees everything
 * that earlier threads did for this block, and, the first time, everything that the launch prepared. {@link BlockRun}
 * extends this class, so that polling a block reads one object.
 */
class BlockWord {
    private static final int ENDED = 0;
    private static final int READY = 1;
    private static final int RUNNING = 2;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(BlockWord.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // accessed through STATE
    private int state;

    /** Lets a thread take the block; releases. */
    final void makeReady() {
        STATE.setRelease(this, READY);
    }

    /** Takes the block unless it has ended or another thread has it; acquires. */
    final boolean tryTake() {
        return (int) STATE.getOpaque(this) == READY && STATE.compareAndSet(this, READY, RUNNING);
    }

    /** Returns a block that was taken; releases. */
    final void giveBack(boolean ended) {
        STATE.setRelease(this, ended ? ENDED : READY);
    }
}

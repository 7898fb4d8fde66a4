package org.mscclj.language;

import java.util.List;
import org.mscclj.plan.Operation;

/** A counting semaphore between the blocks of a rank. */
public final class Semaphore {
    private final ProgramBuilder program;
    private final int rank;
    private final int id;

    Semaphore(ProgramBuilder program, int rank, int id) {
        this.program = program;
        this.rank = rank;
        this.id = id;
    }

    /** Waits until the count is above 0, decrements it, and acquires what precedes the matching release. */
    public void acquire(int block) {
        acquire(block, SyncType.BOTH);
    }

    /** Like {@link #acquire(int)}, with the given synchronisation of the block's threads. */
    public void acquire(int block, SyncType sync) {
        program.recorder().add(rank, block, new Operation.SemaphoreAcquire(List.of(id)), sync);
        program.recorder().acquired(rank, id, block);
    }

    /** Increments the count. */
    public void release(int block) {
        release(block, SyncType.BOTH);
    }

    /** Like {@link #release(int)}, with the given synchronisation of the block's threads. */
    public void release(int block, SyncType sync) {
        program.recorder().add(rank, block, new Operation.SemaphoreRelease(List.of(id)), sync);
        program.recorder().released(rank, id, block);
    }
}

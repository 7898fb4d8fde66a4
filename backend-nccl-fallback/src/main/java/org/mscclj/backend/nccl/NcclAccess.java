package org.mscclj.backend.nccl;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.mscclj.backend.nccl.ffm.Nccl;
import org.mscclj.backend.nccl.ffm.NcclCommunicators;
import org.mscclj.backend.nccl.ffm.NcclResult;
import org.mscclj.backend.nccl.ffm.NcclVersion;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.waiting.Backoff;

/**
 * The use of an {@code ncclComm_t} by one thread at a time, and by none after it was freed: NCCL permits neither. A
 * thread that waits for a call of NCCL does not use the communicator meanwhile.
 */
final class NcclAccess {
    /** Earlier versions do not wait for their thread that carries out a call when another thread aborts. */
    static final NcclVersion JOINS_CALLS_SINCE = NcclVersion.of(2, 19, 1);

    private final NcclCommunicators communicators;
    private final boolean joinsCalls;
    private final BackendDevice device;
    private final long address;
    private final BooleanSupplier open;
    private final MemorySegment state = Arena.ofAuto().allocate(JAVA_INT);
    private final BooleanSupplier settled = this::hasSettled;

    /** Held while a thread is inside a function of NCCL that uses the communicator. */
    private final ReentrantLock using = new ReentrantLock();

    /** What the call that waits has found. */
    private int outcome;

    /** Whether NCCL carries out a call. Guarded by {@link #using}. */
    private boolean inProgress;

    /** Guarded by {@link #using}. */
    private boolean freed;

    private volatile boolean ending;

    /**
     * Creates the access to a communicator.
     *
     * @param open whether the communicator was neither aborted nor closed; once false, always false
     */
    NcclAccess(Nccl nccl, BackendDevice device, long address, BooleanSupplier open) {
        this.communicators = nccl.communicators();
        this.joinsCalls = nccl.library().version().isAtLeast(JOINS_CALLS_SINCE);
        this.device = device;
        this.address = address;
        this.open = open;
    }

    /** Lets this thread use the communicator until {@link #release}; false if it was aborted or closed. */
    boolean acquire() {
        while (open.getAsBoolean()) {
            // An abort or a destruction may hold the lock for long.
            if (using.tryLock()) {
                if (open.getAsBoolean()) {
                    return true;
                }
                using.unlock();
            } else {
                Thread.yield();
            }
        }
        return false;
    }

    /** Ends the use by this thread, if an abort has not ended it. */
    void release() {
        if (using.isHeldByCurrentThread()) {
            using.unlock();
        }
    }

    /**
     * Polls until the communicator has a result; {@link NcclResult#IN_PROGRESS} if it was aborted, and then this thread
     * no longer uses it. One thread at a time calls this.
     */
    int settle(Backoff backoff) {
        if (!using.isHeldByCurrentThread()) {
            return NcclResult.IN_PROGRESS;
        }
        inProgress = true;
        using.unlock();
        backoff.reset();
        boolean _ = backoff.awaitUninterruptibly(settled);
        return outcome;
    }

    /** Whether the communicator has a result, and this thread uses it again; or whether it was aborted. */
    private boolean hasSettled() {
        outcome = NcclResult.IN_PROGRESS;
        if (!using.tryLock()) {
            return !open.getAsBoolean();
        }
        outcome = poll();
        if (outcome != NcclResult.IN_PROGRESS) {
            inProgress = false;
            return true;
        }
        using.unlock();
        return !open.getAsBoolean();
    }

    /**
     * Returns the state of the communicator; {@link NcclResult#IN_PROGRESS} if it has ended, or if another thread uses
     * it.
     */
    int poll() {
        if (!using.tryLock()) {
            return NcclResult.IN_PROGRESS;
        }
        try {
            if (!open.getAsBoolean()) {
                return NcclResult.IN_PROGRESS;
            }
            int result = communicators.asyncError(address, state);
            return result == NcclResult.SUCCESS ? state.get(JAVA_INT, 0) : result;
        } finally {
            using.unlock();
        }
    }

    /**
     * Aborts the communicator, which was marked as aborted, when no other thread uses it, however long that takes;
     * {@link NcclResult#IN_PROGRESS} if this version of NCCL would free what a call in progress uses.
     */
    int abort() {
        return abort(joinsCalls);
    }

    /** Whether NCCL waits for a call in progress when any thread aborts its communicator. */
    boolean joinsCalls() {
        return joinsCalls;
    }

    /** Aborts the communicator like {@link #abort}, on the thread that made the call in progress. */
    int abortOwnCall() {
        return abort(true);
    }

    private int abort(boolean joins) {
        using.lock();
        try {
            ending = true;
            if (inProgress && !joins) {
                return NcclResult.IN_PROGRESS;
            }
            if (freed) {
                return NcclResult.SUCCESS;
            }
            freed = true;
            return communicators.abort(address);
        } finally {
            using.unlock();
        }
    }

    /** Whether {@link #abort} has begun, and waits for no other thread. */
    boolean isEnding() {
        return ending;
    }

    /** Waits for calls and ends them; {@link NcclResult#IN_PROGRESS} if the communicator was aborted. */
    int finalizeCalls() {
        if (!acquire()) {
            return NcclResult.IN_PROGRESS;
        }
        try {
            device.makeCurrent();
            int result = communicators.finalizeCalls(address);
            return result == NcclResult.IN_PROGRESS ? settle(Backoff.forDevices()) : result;
        } finally {
            release();
        }
    }

    /** Destroys the communicator, which was marked as closed. */
    int destroy() {
        using.lock();
        try {
            device.makeCurrent();
            return communicators.destroy(address);
        } finally {
            using.unlock();
        }
    }
}

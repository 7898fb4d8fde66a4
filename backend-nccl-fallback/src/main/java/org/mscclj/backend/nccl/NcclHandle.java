package org.mscclj.backend.nccl;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.backend.nccl.ffm.Nccl;
import org.mscclj.backend.nccl.ffm.NcclFunction;
import org.mscclj.backend.nccl.ffm.NcclResult;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.waiting.Backoff;

/**
 * An {@code ncclComm_t}: the locks that its calls hold, their time limit, their failure, and its end.
 *
 * <p>Calls of a communicator that has a limit do not block: they are polled. {@link CallWatch} aborts the communicator
 * if a call exceeds the limit or if NCCL reports an error, so that no caller waits forever.
 *
 * <p>One thread at a time uses the communicator, and none after it was freed: NCCL permits neither. An abort, which
 * frees it, waits for the thread that is inside a function of NCCL; if that thread does not return, the communicator is
 * left as it is.
 */
final class NcclHandle {
    /** A call that takes longer than this waits for peers, and only an abort ends it. */
    private static final long BLOCKED_MILLIS = 1_000;

    private static final Duration ABORT_LIMIT = Duration.ofSeconds(10);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);
    private static final long NONE = 0;

    private final Nccl nccl;
    private final BackendDevice device;
    private final long address;
    private final Duration limit;
    private final NcclAccess access;
    /** Used by the call that holds the lock. */
    private final Backoff pauses = Backoff.forDevices();

    /** Held from the begin of a call to its end. */
    private final ReentrantLock calling = new ReentrantLock();

    /** When the running call must have ended; {@link #NONE} if none runs. */
    private volatile long deadline = NONE;

    private volatile @Nullable MsccljException failure;
    /** Guarded by this object. */
    private @Nullable NcclAbort abort;

    private volatile boolean aborted;
    private volatile boolean closed;

    /**
     * Creates a handle.
     *
     * @param address the address of the {@code ncclComm_t}
     * @param limit for each call; zero if calls block without a limit
     */
    NcclHandle(Nccl nccl, BackendDevice device, long address, Duration limit) {
        this.nccl = nccl;
        this.device = device;
        this.address = address;
        this.limit = limit;
        this.access = new NcclAccess(nccl, device, address, this::isOpen);
        if (!limit.isZero()) {
            CallWatch.instance().add(this);
        }
    }

    Nccl nccl() {
        return nccl;
    }

    BackendDevice device() {
        return device;
    }

    long address() {
        return address;
    }

    Duration limit() {
        return limit;
    }

    /**
     * Begins a call, which {@link #exit} ends. The time limit begins. The device becomes current to the calling thread:
     * NCCL relies on that where it does not select the device itself, as for the calls of a single rank.
     */
    void enter() {
        if (!tryEnter()) {
            throw refusal();
        }
        makeCurrent();
    }

    /** Makes the device current behind the locks, since a virtual thread that waited may be on another carrier. */
    private void makeCurrent() {
        try {
            device.makeCurrent();
        } catch (RuntimeException | Error e) {
            exit();
            throw e;
        }
    }

    /** Begins a call as {@link #enter} does, on any device; false if the communicator was aborted or closed. */
    boolean tryEnter() {
        calling.lock();
        if (!access.acquire()) {
            calling.unlock();
            return false;
        }
        if (!limit.isZero()) {
            long end = System.nanoTime() + limit.toNanos();
            deadline = end == NONE ? NONE + 1 : end;
        }
        return true;
    }

    /** Ends a call. */
    void exit() {
        deadline = NONE;
        access.release();
        calling.unlock();
    }

    /**
     * Waits until a call has ended.
     *
     * @param function the name of the called function
     * @param result the code that it returned
     */
    void check(String function, int result) {
        if (result == NcclResult.SUCCESS) {
            return;
        }
        int end = result == NcclResult.IN_PROGRESS ? settle() : result;
        if (end != NcclResult.SUCCESS) {
            throw failureOf(function, end);
        }
    }

    /** Checks a call within a group, which ends with the group. */
    void checkPart(String function, int result) {
        if (isError(result)) {
            throw failureOf(function, result);
        }
    }

    private MsccljException failureOf(String function, int result) {
        MsccljException known = failure;
        if (known != null) {
            return known;
        }
        if (result == NcclResult.IN_PROGRESS) {
            return new AbortedException(function + " was ended by an abort of NCCL's communicator; close it");
        }
        BackendException why = nccl.failure(function, result);
        if (isError(access.poll())) {
            fail(why); // the communicator has failed, and not only this call
        }
        return why;
    }

    private static boolean isError(int state) {
        return state != NcclResult.SUCCESS && state != NcclResult.IN_PROGRESS;
    }

    /**
     * Polls until the communicator has a result; {@link NcclResult#IN_PROGRESS} if it was aborted. Then the call must
     * not use the communicator. NCCL's thread for the call may enqueue work until the abort has ended, so this waits
     * for that too: the caller may free the stream and the buffers behind that work only.
     */
    int settle() {
        int outcome = access.settle(pauses);
        NcclAbort begun = outcome == NcclResult.IN_PROGRESS ? begunAbort() : null;
        if (begun != null) {
            begun.settle(ABORT_LIMIT);
        }
        return outcome;
    }

    /** Aborts the communicator if its call exceeds the limit or if NCCL reports an error. Called by the watch. */
    void examine() {
        long end = deadline;
        if (end != NONE && System.nanoTime() - end > 0) {
            fail(new OperationTimeoutException(
                    "a call of NCCL did not end within " + limit.toMillis()
                            + " ms, and its communicator was aborted; check that all ranks make the same calls, or"
                            + " open the communicator with a longer limit",
                    List.of()));
            return;
        }
        int now = access.poll();
        if (isError(now)) {
            fail(nccl.failure("a call of NCCL", now));
        }
    }

    /** Aborts the communicator, and does not wait for that. */
    private void fail(MsccljException why) {
        boolean _ = end(why);
    }

    /** Marks the communicator as aborted, and starts that; false if it has ended before. */
    private synchronized boolean end(@Nullable MsccljException why) {
        CallWatch.instance().remove(this);
        if (!isOpen()) {
            return false;
        }
        failure = why;
        aborted = true;
        abort = NcclAbort.start(nccl, access, why);
        return true;
    }

    /** Marks the communicator as closed; false if it has ended before. */
    private synchronized boolean endForClose() {
        CallWatch.instance().remove(this);
        if (!isOpen()) {
            return false;
        }
        closed = true;
        return true;
    }

    /** Returns why the communicator has failed or was aborted; empty while it works, and if it was closed. */
    Optional<MsccljException> failure() {
        MsccljException known = failure;
        if (known != null) {
            return Optional.of(known);
        }
        if (aborted) {
            return Optional.of(new AbortedException("the communicator of NCCL was aborted; close it"));
        }
        int now = access.poll();
        return isError(now) ? Optional.of(nccl.failure("a call of NCCL", now)) : Optional.empty();
    }

    /**
     * Checks that the communicator has not failed, as functions that create communicators from it need.
     *
     * @param done what cannot be done otherwise, for example "split"
     * @throws AbortedException if it has failed or was aborted
     */
    void requireWorking(String done) {
        Optional<MsccljException> why = failure();
        if (why.isPresent()) {
            throw new AbortedException(
                    "the communicator of NCCL has failed, so that it cannot be " + done + "; close it, and open a"
                            + " communicator of the ranks that are left with a new id: "
                            + why.get().getMessage(),
                    why.get());
        }
    }

    /** Whether the communicator was neither aborted nor closed. */
    boolean isOpen() {
        return !aborted && !closed;
    }

    private MsccljException refusal() {
        if (closed) {
            return new InvalidArgumentException("the communicator is closed; open another one");
        }
        MsccljException known = failure;
        return known == null
                ? new AbortedException("the communicator of NCCL was aborted; close it")
                : new AbortedException("the communicator of NCCL has failed; close it: " + known.getMessage(), known);
    }

    /**
     * Ends all calls, and waits for that.
     *
     * @throws OperationTimeoutException if NCCL does not end them in time; the communicator cannot be used then either.
     *     Thrown once
     */
    void abort() {
        boolean _ = end(null);
        awaitAbort();
    }

    /**
     * Waits for an abort that has begun, if there is one.
     *
     * @throws OperationTimeoutException as {@link #abort}
     */
    void awaitAbort() {
        NcclAbort begun = begunAbort();
        if (begun != null) {
            begun.await(atMost(ABORT_LIMIT));
        }
    }

    private synchronized @Nullable NcclAbort begunAbort() {
        return abort;
    }

    /** Whether an abort has not freed the communicator, so that NCCL may use memory of its calls. */
    boolean isLeft() {
        NcclAbort begun = begunAbort();
        return begun != null && !begun.hasFreed();
    }

    /**
     * Ends a communicator that could not be opened, on the thread that has tried to, which NCCL before 2.19.1 needs.
     */
    void abandon() {
        if (access.joinsCalls()) {
            abort();
            return;
        }
        boolean _ = end(null);
        int result = access.abortOwnCall();
        if (result != NcclResult.SUCCESS) {
            throw nccl.failure("ncclCommAbort", result);
        }
    }

    /**
     * Destroys the communicator, or aborts it if a call still runs: NCCL would use the communicator after its
     * destruction.
     *
     * @throws OperationTimeoutException if calls do not end in time; they are aborted
     */
    void close() {
        boolean free = tryCalling();
        try {
            if (free && isOpen()) {
                destroyOnce();
            } else {
                abort();
            }
        } finally {
            closed = true;
            if (free) {
                calling.unlock();
            }
        }
    }

    /** Takes the lock; false if a call that waits for peers holds it, or if the thread is interrupted. */
    private boolean tryCalling() {
        try {
            return calling.tryLock() || calling.tryLock(BLOCKED_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void destroyOnce() {
        Duration wait = atMost(CLOSE_LIMIT);
        if (nccl.library().has(NcclFunction.COMM_FINALIZE)) {
            try {
                int result = BoundedCall.call("ncclCommFinalize", wait, access::finalizeCalls);
                if (result == NcclResult.IN_PROGRESS && failure == null) {
                    awaitAbort(); // by another thread
                    return;
                }
                check("ncclCommFinalize", result);
            } catch (RuntimeException e) {
                try {
                    abort();
                } catch (RuntimeException also) {
                    e.addSuppressed(also);
                }
                throw e;
            }
        }
        if (endForClose()) {
            int result = BoundedCall.call("ncclCommDestroy", wait, access::destroy);
            if (result != NcclResult.SUCCESS) {
                throw nccl.failure("ncclCommDestroy", result);
            }
        } else {
            awaitAbort();
        }
    }

    /** The limit of the communicator, or a shorter one. */
    private Duration atMost(Duration most) {
        return limit.isZero() || limit.compareTo(most) > 0 ? most : limit;
    }
}

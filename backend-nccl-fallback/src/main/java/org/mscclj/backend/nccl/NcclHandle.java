package org.mscclj.backend.nccl;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.backend.nccl.ffm.Nccl;
import org.mscclj.backend.nccl.ffm.NcclCommunicators;
import org.mscclj.backend.nccl.ffm.NcclFunction;
import org.mscclj.backend.nccl.ffm.NcclResult;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.waiting.Backoff;

/**
 * An {@code ncclComm_t}: the lock that its calls hold, their time limit, their failure, and its end.
 *
 * <p>Calls of a communicator that has a limit do not block: they are polled. {@link CallWatch} aborts the communicator
 * if a call exceeds the limit or if NCCL reports an error, so that no caller waits forever.
 */
final class NcclHandle {
    /** A call that holds the lock longer than this waits for peers, and only an abort ends it. */
    private static final long BLOCKED_MILLIS = 1_000;

    private static final Duration ABORT_LIMIT = Duration.ofSeconds(10);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);
    private static final long NONE = 0;

    private final Nccl nccl;
    private final NcclCommunicators communicators;
    private final BackendDevice device;
    private final long address;
    private final Duration limit;
    private final MemorySegment state = Arena.ofAuto().allocate(JAVA_INT);

    private final BooleanSupplier settled;

    /** Used by the call that holds the lock. */
    private final Backoff pauses = Backoff.forDevices();

    /** Held while NCCL uses the communicator, so that it is not freed meanwhile. */
    private final ReentrantLock calling = new ReentrantLock();

    /** Held while the state is polled, so that the communicator is not freed meanwhile. */
    private final Object polling = new Object();

    /** When the running call must have ended; {@link #NONE} if none runs. */
    private volatile long deadline = NONE;

    private volatile @Nullable MsccljException failure;
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
        this.communicators = nccl.communicators();
        this.device = device;
        this.address = address;
        this.limit = limit;
        this.settled = () -> aborted || poll() != NcclResult.IN_PROGRESS;
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

    /** Begins a call, which {@link #exit} ends. The time limit begins. */
    void enter() {
        calling.lock();
        try {
            requireOpen();
        } catch (RuntimeException e) {
            calling.unlock();
            throw e;
        }
        if (!limit.isZero()) {
            deadline = Math.max(NONE + 1, System.nanoTime() + limit.toNanos());
        }
    }

    /** Ends a call. */
    void exit() {
        deadline = NONE;
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
        BackendException why = nccl.failure(function, result, address);
        if (isError(poll())) {
            fail(why); // the communicator has failed, and not only this call
        }
        return why;
    }

    private static boolean isError(int state) {
        return state != NcclResult.SUCCESS && state != NcclResult.IN_PROGRESS;
    }

    /** Polls until the communicator has a result; {@link NcclResult#IN_PROGRESS} if it was aborted. */
    int settle() {
        return settle(pauses);
    }

    private int settle(Backoff backoff) {
        backoff.reset();
        boolean _ = backoff.awaitUninterruptibly(settled);
        return poll();
    }

    /** Returns the state of the communicator; {@link NcclResult#IN_PROGRESS} if it has ended. */
    private int poll() {
        synchronized (polling) {
            if (!isOpen()) {
                return NcclResult.IN_PROGRESS;
            }
            int result = communicators.asyncError(address, state);
            return result == NcclResult.SUCCESS ? state.get(JAVA_INT, 0) : result;
        }
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
        int now = poll();
        if (isError(now)) {
            fail(nccl.failure("a call of NCCL", now, address));
        }
    }

    private void fail(MsccljException why) {
        if (end(why)) {
            BoundedCall.start("ncclCommAbort", () -> communicators.abort(address));
        }
    }

    /** Marks the communicator as aborted; false if it has ended before. */
    private synchronized boolean end(@Nullable MsccljException why) {
        CallWatch.instance().remove(this);
        synchronized (polling) {
            if (!isOpen()) {
                return false;
            }
            failure = why;
            aborted = true;
            return true;
        }
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
        int now = poll();
        return isError(now) ? Optional.of(nccl.failure("a call of NCCL", now, address)) : Optional.empty();
    }

    /** Whether NCCL's functions may still be called with this communicator. */
    boolean isOpen() {
        return !aborted && !closed;
    }

    private void requireOpen() {
        if (closed) {
            throw new InvalidArgumentException("the communicator is closed; open another one");
        }
        if (aborted) {
            MsccljException known = failure;
            throw known == null
                    ? new AbortedException("the communicator of NCCL was aborted; close it")
                    : new AbortedException(
                            "the communicator of NCCL has failed; close it: " + known.getMessage(), known);
        }
    }

    /**
     * Ends all calls.
     *
     * @throws OperationTimeoutException if NCCL does not end them in time; the communicator cannot be used then either
     */
    void abort() {
        boolean free = tryCalling();
        try {
            abortOnce();
        } finally {
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

    private void abortOnce() {
        if (end(null)) {
            abortNow();
        }
    }

    private void abortNow() {
        checkPart(
                "ncclCommAbort",
                BoundedCall.call("ncclCommAbort", atMost(ABORT_LIMIT), () -> communicators.abort(address)));
    }

    /**
     * Destroys the communicator, or aborts it if a call is still using it: NCCL would use the communicator after its
     * destruction, whereas an abort ends the call.
     *
     * @throws OperationTimeoutException if calls do not end in time; they are aborted
     */
    void close() {
        boolean free = tryCalling();
        try {
            if (free) {
                destroyOnce();
            } else {
                abortOnce();
            }
        } finally {
            closed = true;
            if (free) {
                calling.unlock();
            }
        }
    }

    private void destroyOnce() {
        if (!isOpen()) {
            return;
        }
        CallWatch.instance().remove(this);
        Duration wait = atMost(CLOSE_LIMIT);
        if (nccl.library().has(NcclFunction.COMM_FINALIZE)) {
            try {
                check("ncclCommFinalize", BoundedCall.call("ncclCommFinalize", wait, this::finalizeCalls));
            } catch (RuntimeException e) {
                try {
                    abortOnce();
                } catch (RuntimeException also) {
                    e.addSuppressed(also);
                }
                throw e;
            }
        }
        synchronized (polling) {
            closed = true;
        }
        check("ncclCommDestroy", BoundedCall.call("ncclCommDestroy", wait, this::destroy));
    }

    /** The limit of the communicator, or a shorter one. */
    private Duration atMost(Duration most) {
        return limit.isZero() || limit.compareTo(most) > 0 ? most : limit;
    }

    private int finalizeCalls() {
        device.makeCurrent();
        int result = communicators.finalizeCalls(address);
        return result == NcclResult.IN_PROGRESS ? settle(Backoff.forDevices()) : result;
    }

    private int destroy() {
        device.makeCurrent();
        return communicators.destroy(address);
    }
}

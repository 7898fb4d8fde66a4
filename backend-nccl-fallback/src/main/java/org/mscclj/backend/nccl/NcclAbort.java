package org.mscclj.backend.nccl;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.backend.nccl.ffm.Nccl;
import org.mscclj.backend.nccl.ffm.NcclResult;

/** The abort of a communicator, which any number of threads may wait for. The first of them gets its failure. */
final class NcclAbort {
    private static final String FUNCTION = "ncclCommAbort";

    private final Nccl nccl;
    private final NcclAccess access;
    private final CompletableFuture<Integer> end;
    private boolean told;

    private NcclAbort(Nccl nccl, NcclAccess access, CompletableFuture<Integer> end) {
        this.nccl = nccl;
        this.access = access;
        this.end = end;
    }

    /**
     * Starts the abort of a communicator that was marked as aborted.
     *
     * @param why the reason, to which a failure of the abort is added; null for a request of the user
     */
    static NcclAbort start(Nccl nccl, NcclAccess access, @Nullable MsccljException why) {
        CompletableFuture<Integer> end = BoundedCall.start(FUNCTION, access::abort);
        if (why != null) {
            CompletableFuture<Void> _ = end.thenAccept(result -> {
                if (result != NcclResult.SUCCESS && result != NcclResult.IN_PROGRESS) {
                    why.addSuppressed(nccl.failure(FUNCTION, result));
                }
            });
        }
        return new NcclAbort(nccl, access, end);
    }

    /** Whether NCCL has ended all calls and freed the communicator. */
    boolean hasFreed() {
        return end.isDone() && !end.isCompletedExceptionally() && end.join() == NcclResult.SUCCESS;
    }

    /** Waits until NCCL has ended all calls or cannot, at most for a time. An interrupt does not end the wait. */
    void settle(Duration limit) {
        boolean interrupted = false;
        long until = System.nanoTime() + limit.toNanos();
        while (true) {
            try {
                Integer _ = end.get(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
                break;
            } catch (ExecutionException | TimeoutException _) {
                break; // await reports it
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits until NCCL has ended all calls and freed the communicator.
     *
     * @throws OperationTimeoutException if NCCL does not end them in time; the communicator is left as it is
     */
    synchronized void await(Duration limit) {
        if (told) {
            return;
        }
        told = true;
        int result;
        try {
            result = BoundedCall.await(FUNCTION, limit, end);
        } catch (OperationTimeoutException e) {
            throw access.isEnding()
                    ? e
                    : new OperationTimeoutException(
                            "a function of NCCL did not return within " + limit.toMillis()
                                    + " ms after an abort, and its communicator is left as it is, since an abort frees"
                                    + " what the function uses; end the process, and open communicators with a limit",
                            List.of());
        }
        if (result == NcclResult.IN_PROGRESS) {
            throw new OperationTimeoutException(
                    "NCCL " + nccl.library().version() + " was carrying out a call when its communicator was aborted,"
                            + " which is left as it is, since NCCL before " + NcclAccess.JOINS_CALLS_SINCE
                            + " frees what the call uses; end the process, and install a later NCCL",
                    List.of());
        }
        if (result != NcclResult.SUCCESS) {
            throw nccl.failure(FUNCTION, result);
        }
    }
}

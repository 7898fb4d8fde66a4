package org.mscclj.backend.nccl;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.mscclj.api.error.OperationTimeoutException;

/** Runs calls that may never return on threads of their own, so that the caller waits for a limited time. */
final class BoundedCall {
    private BoundedCall() {}

    /**
     * Runs a call, and returns its result.
     *
     * @throws OperationTimeoutException if it does not return in time; its thread, a daemon, is left behind
     */
    static <T> T call(String function, Duration limit, Supplier<T> call) {
        return call(function, limit, call, _ -> {});
    }

    /**
     * Runs a call, and returns its result.
     *
     * @param late receives a result that comes after the limit, on the thread that is left behind
     * @throws OperationTimeoutException if it does not return in time; its thread, a daemon, is left behind
     */
    static <T> T call(String function, Duration limit, Supplier<T> call, Consumer<T> late) {
        CompletableFuture<T> end = start(function, call);
        try {
            return await(function, limit, end);
        } catch (OperationTimeoutException e) {
            CompletableFuture<Void> _ = end.thenAccept(late);
            throw e;
        }
    }

    /** Starts a call, and does not wait for it. */
    static <T> CompletableFuture<T> start(String function, Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, Thread.ofPlatform().daemon().name("mscclj-" + function)::start);
    }

    /**
     * Waits for a call, and returns its result.
     *
     * @throws OperationTimeoutException if it does not return in time
     */
    static <T> T await(String function, Duration limit, CompletableFuture<T> end) {
        long deadline = System.nanoTime() + limit.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return end.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException _) {
                    interrupted = true; // the limit is short, and the caller must know the outcome
                }
            }
        } catch (TimeoutException _) {
            throw new OperationTimeoutException(
                    function + " did not return within " + limit.toMillis()
                            + " ms, and its thread is left behind; check that all ranks and their GPUs work, and end"
                            + " the process",
                    List.of());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

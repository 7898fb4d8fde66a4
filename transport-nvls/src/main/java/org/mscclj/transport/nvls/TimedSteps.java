package org.mscclj.transport.nvls;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.mscclj.api.error.BackendException;

/**
 * Runs calls of a driver on threads of their own, and waits for each of them for a limited time. A call that is late
 * stays with its thread, which undoes it when the driver returns.
 *
 * @param limit how long a call may take
 */
record TimedSteps(Duration limit) {
    /** The symbol of the exception of a step that is late. */
    static final String LATE = "LATE";

    /**
     * Takes a step.
     *
     * @param what the step, for messages: "adding the GPU"
     * @param late undoes a step that returns when no thread waits for it any more; gets its result, if it has not
     *     failed; runs on the step's thread
     * @throws BackendException if the step is late
     */
    <T> T call(String what, Supplier<T> step, Consumer<Optional<T>> late) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("mscclj-nvls-step").start(() -> run(step, late, result));
        try {
            return result.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            return givenUp(
                    result,
                    what + " has taken " + limit.toMillis() + " ms, and the driver has not returned; is the fabric"
                            + " manager running, and has \"dmesg\" Xid or SXid errors? Turn multicast off meanwhile");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return givenUp(result, what + " is interrupted");
        } catch (ExecutionException e) {
            throw thrown(e);
        }
    }

    private static <T> void run(Supplier<T> step, Consumer<Optional<T>> late, CompletableFuture<T> result) {
        Optional<T> made = Optional.empty();
        boolean awaited;
        try {
            T returned = step.get();
            made = Optional.of(returned);
            awaited = result.complete(returned);
        } catch (RuntimeException | Error e) {
            awaited = result.completeExceptionally(e);
        }
        if (!awaited) {
            late.accept(made);
        }
    }

    /** Gives a step up, unless it has just returned. */
    private static <T> T givenUp(CompletableFuture<T> result, String reason) {
        result.completeExceptionally(new BackendException(reason, 0, LATE));
        try {
            return result.join();
        } catch (CompletionException e) {
            throw thrown(e);
        }
    }

    private static RuntimeException thrown(Exception e) {
        return switch (e.getCause()) {
            case RuntimeException unchecked -> unchecked;
            case Error error -> throw error;
            case null, default -> new IllegalStateException(e);
        };
    }
}

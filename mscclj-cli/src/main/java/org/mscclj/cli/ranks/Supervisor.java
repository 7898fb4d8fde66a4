package org.mscclj.cli.ranks;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.OperationTimeoutException;

/** Runs tasks that may hang in daemon threads, so that the command returns in any case. */
final class Supervisor {
    /** Time in which ranks must end after an abort. */
    static final Duration GRACE = Duration.ofSeconds(5);

    private Supervisor() {}

    /**
     * Runs a task and waits for it.
     *
     * @param limit the time limit
     * @param abort called with the reason at the limit; the task should then end soon
     * @throws OperationTimeoutException if it does not end; its thread continues
     */
    static void run(Runnable task, PhaseLimit limit, Consumer<String> abort) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("mscclj-" + limit.phase()).start(() -> {
            try {
                task.run();
                end.complete(null);
            } catch (Throwable e) {
                end.completeExceptionally(e);
            } finally {
                limit.wake();
            }
        });
        if (!await(end, limit)) {
            String what = limit.phase();
            Duration most = limit.limit();
            abort.accept(what + " took too long");
            if (!await(end, GRACE)) {
                throw new OperationTimeoutException(
                        what + ": did not end within " + DurationText.of(most) + ", nor within "
                                + DurationText.of(GRACE) + " after it was aborted; its threads still run",
                        List.of());
            }
        }
    }

    /** Whether the task ended within a limit; throws the exception of the task. */
    private static boolean await(CompletableFuture<Void> end, PhaseLimit limit) {
        try {
            return limit.await(end) && await(end, Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted", e);
        }
    }

    private static boolean await(CompletableFuture<Void> end, Duration limit) {
        try {
            end.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted", e);
        } catch (ExecutionException e) {
            throw unchecked(e.getCause(), e);
        }
    }

    /** Returns a failure as an unchecked exception, or the other one if there is none. */
    static RuntimeException unchecked(@Nullable Throwable failure, Throwable other) {
        Throwable what = failure == null ? other : failure;
        if (what instanceof Error error) {
            throw error;
        }
        return what instanceof RuntimeException unchecked ? unchecked : new AbortedException("failed: " + what, what);
    }
}

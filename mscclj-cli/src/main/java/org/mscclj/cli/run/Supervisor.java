package org.mscclj.cli.run;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.OperationTimeoutException;

/**
 * Runs tasks that may never end, in daemon threads, so that whatever an engine does, the command returns. Operations keep their own
 * timeouts and say who is missing; this is for the case that even those fail.
 */
final class Supervisor {
    private Supervisor() {}

    /**
     * Runs a task and waits for it.
     *
     * @param limit how long to wait
     * @param abort called when that has passed; the task should then end within {@code grace}
     * @throws OperationTimeoutException if it does not end; it is left behind
     */
    static void run(String what, Runnable task, Duration limit, Runnable abort, Duration grace) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("mscclj-" + what).start(() -> {
            try {
                task.run();
                end.complete(null);
            } catch (Throwable e) {
                end.completeExceptionally(e);
            }
        });
        if (!await(end, limit)) {
            abort.run();
            if (!await(end, grace)) {
                throw new OperationTimeoutException(
                        what + ": did not end within " + Durations.text(limit) + ", nor within " + Durations.text(grace)
                                + " after it was aborted; its threads are left behind",
                        List.of());
            }
        }
    }

    /** Whether it ended in time; throws what it threw. */
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
            switch (e.getCause()) {
                case RuntimeException unchecked -> throw unchecked;
                case Error error -> throw error;
                case null, default -> throw new AbortedException("failed: " + e.getCause(), e);
            }
        }
    }
}

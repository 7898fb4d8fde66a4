package org.mscclj.conformance.task;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.mscclj.api.error.AbortedException;

/**
 * Work in a daemon thread of its own, which is left behind if it does not end in time.
 *
 * @param <T> what it gives
 */
public final class DaemonTask<T> {
    private final CompletableFuture<T> end = new CompletableFuture<>();

    private DaemonTask() {}

    /** Starts work. */
    public static <T> DaemonTask<T> start(String name, Supplier<T> work) {
        DaemonTask<T> task = new DaemonTask<>();
        Thread.ofPlatform().daemon().name(name).start(() -> {
            try {
                task.end.complete(work.get());
            } catch (Throwable e) {
                task.end.completeExceptionally(e);
            }
        });
        return task;
    }

    /** Waits until it ends, and no longer than to a moment of {@link System#nanoTime}; returns whether it has ended. */
    public boolean endsBy(long moment) {
        try {
            end.get(Math.max(0, moment - System.nanoTime()), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            return true; // result() throws it
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while waiting for another thread", e);
        }
    }

    /** Waits until it ends, and no longer than this; returns whether it has ended. */
    public boolean endsWithin(Duration limit) {
        return endsBy(System.nanoTime() + limit.toNanos());
    }

    /** What it gave, when it has ended; throws what it threw. */
    public T result() {
        try {
            return end.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case RuntimeException unchecked -> throw unchecked;
                case Error error -> throw error;
                case null, default -> throw new AbortedException("failed: " + e.getCause(), e);
            }
        }
    }
}

package org.mscclj.conformance.task;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.mscclj.api.error.AbortedException;

/**
 * Work in a daemon thread of its own. The thread is left behind if the work does not end in time.
 *
 * @param <T> the type of its result
 */
public final class DaemonTask<T> {
    private static final String SUITE = "org.mscclj.conformance.";
    private static final int MAX_FRAMES = 24;

    private final CompletableFuture<T> end = new CompletableFuture<>();
    private final Thread thread;

    private DaemonTask(String name, Supplier<T> work) {
        thread = Thread.ofPlatform().daemon().name(name).unstarted(() -> {
            try {
                end.complete(work.get());
            } catch (Throwable e) {
                end.completeExceptionally(e);
            }
        });
    }

    /** Starts work. */
    public static <T> DaemonTask<T> start(String name, Supplier<T> work) {
        DaemonTask<T> task = new DaemonTask<>(name, work);
        task.thread.start();
        return task;
    }

    /**
     * Describes where the thread is: the call that the suite has made, and the frames from there on, the innermost
     * first.
     */
    public String where() {
        List<String> frames = Arrays.stream(thread.getStackTrace())
                .takeWhile(frame -> !frame.getClassName().startsWith(SUITE))
                .map(StackTraceElement::toString)
                .toList();
        if (frames.isEmpty()) {
            return "in no call";
        }
        return "in the call " + frames.getLast() + "; its stack: "
                + frames.stream().limit(MAX_FRAMES).collect(Collectors.joining(" < "));
    }

    /** Waits until the work ends, at most until a moment of {@link System#nanoTime}; returns whether it has ended. */
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

    /** Waits until the work ends, at most for this duration; returns whether it has ended. */
    public boolean endsWithin(Duration limit) {
        return endsBy(System.nanoTime() + limit.toNanos());
    }

    /** Returns the result of the work after its end; throws what the work threw. */
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

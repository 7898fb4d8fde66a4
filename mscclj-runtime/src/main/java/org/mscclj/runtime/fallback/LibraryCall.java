package org.mscclj.runtime.fallback;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.time.RunningDeadline;

/**
 * A call of a library that may wait for other ranks. It runs on a platform thread of its own: libraries have state of
 * such threads, and the caller does not wait longer than it may.
 *
 * @param <T> the result
 */
final class LibraryCall<T> {
    private static final System.Logger LOGGER = System.getLogger(LibraryCall.class.getName());

    private final ExecutionEnvironment environment;
    private final String what;
    private final CountDownLatch over = new CountDownLatch(1);

    /** The first of these: what the library returns or throws, and why the caller no longer waits. */
    private final CompletableFuture<T> outcome = new CompletableFuture<>();

    private LibraryCall(ExecutionEnvironment environment, String what) {
        this.environment = environment;
        this.what = what;
    }

    /**
     * Makes a call, and waits for it as long as collective calls of this rank wait for other ranks now.
     *
     * @param what a description of the call, for messages
     * @param late receives a result that comes when the caller no longer waits, on the thread of the call
     * @throws OperationTimeoutException if the time is over
     * @throws AbortedException if the caller is interrupted
     * @throws org.mscclj.api.error.MsccljException if the communicator is aborted, or if the library throws it
     */
    static <T> T make(ExecutionEnvironment environment, String what, Supplier<T> call, Consumer<T> late) {
        LibraryCall<T> made = new LibraryCall<>(environment, what);
        Thread.ofPlatform().daemon().name("mscclj-fallback-call").start(() -> made.run(call, late));
        return made.await(environment.control().timeLeft());
    }

    private void run(Supplier<T> call, Consumer<T> late) {
        try {
            T result = call.get();
            if (outcome.complete(result)) {
                over.countDown();
            } else {
                late.accept(result);
            }
        } catch (RuntimeException | Error e) {
            if (!stop(e)) {
                LOGGER.log(Level.DEBUG, what + " has failed, when its caller no longer waited", e);
            }
        }
    }

    /** Ends the caller's wait by an exception; false if it has ended before. */
    private boolean stop(Throwable why) {
        boolean first = outcome.completeExceptionally(why);
        over.countDown();
        return first;
    }

    private T await(Duration limit) {
        Runnable whenAborted = () -> {
            boolean _ = stop(environment.abort().exception(what));
        };
        environment.abort().whenSet(whenAborted);
        try {
            boolean _ = isOver(limit) || stop(late(limit));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            boolean _ = stop(new AbortedException(what + ": interrupted while waiting for other ranks", e));
        } finally {
            environment.abort().forget(whenAborted);
        }
        return result();
    }

    private boolean isOver(Duration limit) throws InterruptedException {
        RunningDeadline deadline = RunningDeadline.after(limit);
        while (!over.await(deadline.piece(), TimeUnit.NANOSECONDS)) {
            if (deadline.left() == 0) {
                return false;
            }
        }
        return true;
    }

    private OperationTimeoutException late(Duration limit) {
        return new OperationTimeoutException(
                what + ": rank " + environment.control().rank() + " waited " + DurationText.of(limit)
                        + " for the library, which waits for other ranks; find out what they do, or raise the timeout",
                List.of());
    }

    private T result() {
        if (outcome.state() == CompletableFuture.State.SUCCESS) {
            return outcome.resultNow();
        }
        switch (outcome.exceptionNow()) {
            case RuntimeException unchecked -> throw unchecked;
            case Error error -> throw error;
            case Throwable other -> throw new IllegalStateException(other); // suppliers throw nothing checked
        }
    }
}

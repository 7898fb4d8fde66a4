package org.mscclj.runtime.recorder;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.runtime.time.Deadline;

/**
 * A question to a driver by a thread that only inspects. A driver may never answer, for example while a launching
 * thread is stuck in it. Therefore a separate thread asks, and the inspecting thread waits with a timeout. While a
 * question is unanswered, it is not asked again, and no thread waits for it any more. Safe for use by several threads.
 *
 * @param <T> the answer
 */
public final class DriverQuestion<T> {
    /**
     * Threads that ask. There are as many as open questions, which is one for each rank whose driver does not answer;
     * idle threads end.
     */
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("mscclj-driver-question-", 1).factory());

    private final Supplier<T> question;
    private @Nullable Open<T> open;

    /** A question that has been asked. */
    private static final class Open<T> {
        private final CompletableFuture<T> answer = new CompletableFuture<>();
        private final Deadline asked = Deadline.after(Duration.ZERO);
        private volatile boolean heard;

        /** Returns whether asking has thrown after every thread stopped waiting. */
        boolean hasFailedUnheard() {
            return answer.isCompletedExceptionally() && !heard;
        }
    }

    /**
     * Creates a question that has not been asked yet.
     *
     * @param question asks the driver
     */
    public DriverQuestion(Supplier<T> question) {
        this.question = question;
    }

    /**
     * Asks, and waits for the answer. If an earlier question is still open, this method asks no new one. If asking
     * threw after the earlier caller stopped waiting, the next caller gets that exception, and the caller after that
     * asks anew; any other answer that arrives too late is out of date, and dropped.
     *
     * @param timeout timeout, counted from when the question was opened
     * @return empty if there is no answer in time, or the thread is interrupted
     * @throws RuntimeException thrown by asking
     */
    public Optional<T> ask(Duration timeout) {
        Open<T> asked = asked();
        if (asked == null) {
            return Optional.empty();
        }
        try {
            T answer = asked.answer.get(asked.asked.later(timeout).left(), TimeUnit.NANOSECONDS);
            asked.heard = true;
            return Optional.of(answer);
        } catch (TimeoutException _) {
            return Optional.empty();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException e) {
            asked.heard = true;
            switch (e.getCause()) {
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }

    /** Returns the open question; null if it cannot be asked. */
    private synchronized @Nullable Open<T> asked() {
        Open<T> known = open;
        if (known != null && (!known.answer.isDone() || known.hasFailedUnheard())) {
            return known;
        }
        Open<T> opened = new Open<>();
        try {
            THREADS.execute(() -> answer(opened.answer));
        } catch (OutOfMemoryError _) { // no thread can be started, for example because there are too many
            return null;
        }
        open = opened;
        return opened;
    }

    private void answer(CompletableFuture<T> answer) {
        try {
            answer.complete(question.get());
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }
}

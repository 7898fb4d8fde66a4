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
 * Something that a driver is asked by who only looks. A driver may never answer: while a thread that launches is stuck
 * in it, say. So a thread of its own asks, and who wants to know waits for a while. What has not been answered is not
 * asked again, and nobody waits for it any more. Safe for use by several threads.
 *
 * @param <T> the answer
 */
public final class DriverQuestion<T> {
    /**
     * As many as questions that are open, which is one for each rank whose driver does not answer; they end when there
     * is nothing to ask.
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

        /** Whether asking threw when nobody waited for it any more. */
        boolean hasFailedUnheard() {
            return answer.isCompletedExceptionally() && !heard;
        }
    }

    /**
     * A question that nobody has asked yet.
     *
     * @param question asks the driver
     */
    public DriverQuestion(Supplier<T> question) {
        this.question = question;
    }

    /**
     * Asks, and waits for the answer. Where the question is open since somebody asked before, nothing is asked anew.
     * What asking threw too late for whoever asked is thrown to who asks next, and the one after asks anew; another
     * answer that comes too late is out of date, and dropped.
     *
     * @param patience how long to wait, counted from when the question was opened
     * @return empty if there is no answer in time, or the thread is interrupted
     * @throws RuntimeException what asking throws
     */
    public Optional<T> ask(Duration patience) {
        Open<T> asked = asked();
        if (asked == null) {
            return Optional.empty();
        }
        try {
            T answer = asked.answer.get(asked.asked.later(patience).left(), TimeUnit.NANOSECONDS);
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

    /** The open question; null if it cannot be asked. */
    private synchronized @Nullable Open<T> asked() {
        Open<T> known = open;
        if (known != null && (!known.answer.isDone() || known.hasFailedUnheard())) {
            return known;
        }
        Open<T> opened = new Open<>();
        try {
            THREADS.execute(() -> answer(opened.answer));
        } catch (OutOfMemoryError _) { // no thread can be started, as where there are too many
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

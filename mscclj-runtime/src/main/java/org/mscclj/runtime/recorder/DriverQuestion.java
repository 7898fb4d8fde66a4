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
 * Something that a driver is asked by who only looks. A driver may never answer: while a thread that launches is stuck in it, say. So a thread of its own asks, and who
 * wants to know waits for a while. What has not been answered is not asked again, and nobody waits for it any more. Safe for use by several threads.
 *
 * @param <T> the answer
 */
public final class DriverQuestion<T> {
    /** As many as questions that are open, which is one for each rank whose driver does not answer; they end when there is nothing to ask. */
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("mscclj-driver-question-", 1).factory());

    private final Supplier<T> question;
    private final Duration patience;
    private @Nullable Open<T> open;

    private record Open<T>(CompletableFuture<T> answer, Deadline deadline) {}

    /**
     * A question that nobody has asked yet.
     *
     * @param question asks the driver
     * @param patience how long whoever wants to know waits
     */
    public DriverQuestion(Supplier<T> question, Duration patience) {
        this.question = question;
        this.patience = patience;
    }

    /**
     * Asks, and waits for the answer; where the question is open since somebody asked before, for the rest of that one's time.
     *
     * @return empty if there is no answer in time, or the thread is interrupted
     * @throws RuntimeException what asking throws
     */
    public Optional<T> ask() {
        Open<T> asked = asked();
        try {
            return Optional.of(asked.answer.get(asked.deadline.left(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException _) {
            return Optional.empty();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }

    private synchronized Open<T> asked() {
        Open<T> known = open;
        if (known == null || known.answer.isDone()) {
            CompletableFuture<T> answer = new CompletableFuture<>();
            known = new Open<>(answer, Deadline.after(patience));
            try {
                THREADS.execute(() -> answer(answer));
                open = known;
            } catch (OutOfMemoryError _) { // no thread can be started, as where there are too many
                return new Open<>(answer, Deadline.after(Duration.ZERO));
            }
        }
        return known;
    }

    private void answer(CompletableFuture<T> answer) {
        try {
            answer.complete(question.get());
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }
}

package org.mscclj.conformance.rank;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.mscclj.api.error.AbortedException;

/** Waits for futures with a limit, and reports how they end. */
public final class Futures {
    private Futures() {}

    /** Reports a future that does not end normally in time. */
    public static void requireEnd(RankContext context, CompletableFuture<Void> future, Duration limit) {
        failure(future, limit)
                .ifPresent(failure -> context.report(
                        FindingKind.BEHAVIOUR,
                        "the future of an operation that has ended on all ranks gave " + failure
                                + "; right is a normal end"));
    }

    /**
     * Returns the exception of a future; a {@link TimeoutException} if it does not end in time; empty if it ended
     * normally.
     */
    public static Optional<Throwable> failure(CompletableFuture<Void> future, Duration limit) {
        try {
            future.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return Optional.empty();
        } catch (TimeoutException e) {
            return Optional.of(e);
        } catch (ExecutionException e) {
            return Optional.of(e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while waiting for a future", e);
        }
    }
}

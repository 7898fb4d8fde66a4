package org.mscclj.conformance.reference;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.RankLostException;

/**
 * The launches that an operation has made so far.
 *
 * @param number the last one's
 * @param end of the last one
 * @param limit how long a future waits
 * @param earlier joins what was launched before, for so long
 * @param only whether the operation was prepared for this launch alone, and is closed when that was joined
 */
record ReferenceWork(
        ReferenceCommunicator communicator,
        PreparedOperation operation,
        long number,
        CompletableFuture<Void> end,
        Duration limit,
        Consumer<Duration> earlier,
        boolean only)
        implements Work {
    @Override
    public boolean isCompleted() {
        return end.isDone();
    }

    @Override
    public void await(Stream stream) {
        communicator.requireStream(stream);
        join();
    }

    @Override
    public void join() {
        join(limit);
    }

    @Override
    public void join(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        try {
            operation.join(timeout);
            earlier.accept(timeout);
            close();
        } catch (AbortedException | RankLostException e) {
            close();
            throw e;
        }
    }

    private void close() {
        if (only) {
            operation.close();
        }
    }

    @Override
    public CompletableFuture<Void> toCompletableFuture() {
        return CompletableFuture.runAsync(
                () -> join(limit), task -> Thread.ofPlatform().daemon().start(task));
    }

    @Override
    public String algorithm() {
        return operation.algorithm();
    }

    @Override
    public long sequence() {
        return number;
    }
}

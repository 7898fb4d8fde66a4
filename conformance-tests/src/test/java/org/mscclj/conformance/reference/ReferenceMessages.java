package org.mscclj.conformance.reference;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.mscclj.api.Work;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.OperationTimeoutException;

/** Messages in flight, whose timeouts name whom the defect names. */
record ReferenceMessages(Work inner, Defect defect) implements Work {
    @Override
    public boolean isCompleted() {
        return inner.isCompleted();
    }

    @Override
    public void await(Stream stream) {
        inner.await(stream);
    }

    @Override
    public void join() {
        inner.join();
    }

    @Override
    public void join(Duration timeout) {
        try {
            inner.join(timeout);
        } catch (OperationTimeoutException e) {
            throw asTheDefectNames(e);
        }
    }

    private OperationTimeoutException asTheDefectNames(OperationTimeoutException e) {
        return new OperationTimeoutException(String.valueOf(e.getMessage()), defect.missing(e.missingRanks()));
    }

    /** Only the inner work knows when the messages are late, and when they wait for a rank that has closed. */
    @Override
    public CompletableFuture<Void> toCompletableFuture() {
        return inner.toCompletableFuture()
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        failure instanceof OperationTimeoutException late ? asTheDefectNames(late) : failure));
    }

    @Override
    public String algorithm() {
        return inner.algorithm();
    }

    @Override
    public long sequence() {
        return inner.sequence();
    }
}

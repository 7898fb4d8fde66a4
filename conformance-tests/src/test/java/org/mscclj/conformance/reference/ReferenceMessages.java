package org.mscclj.conformance.reference;

import java.time.Duration;
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
            throw new OperationTimeoutException(String.valueOf(e.getMessage()), defect.missing(e.missingRanks()));
        }
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

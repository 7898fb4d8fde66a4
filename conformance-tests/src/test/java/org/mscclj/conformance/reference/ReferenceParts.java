package org.mscclj.conformance.reference;

import java.time.Duration;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.device.Stream;

/**
 * Prepared messages of a collective, whose ranks compare them before each launch.
 *
 * @param words equal on all ranks for calls that match
 */
record ReferenceParts(ReferenceCommunicator communicator, PreparedOperation inner, String words)
        implements PreparedOperation {
    @Override
    public void launch(Stream stream) {
        communicator.compare(words);
        inner.launch(stream);
    }

    @Override
    public void run(Duration timeout) {
        communicator.compare(words);
        inner.run(timeout);
    }

    @Override
    public boolean isCompleted() {
        return inner.isCompleted();
    }

    @Override
    public Work lastLaunch() {
        return inner.lastLaunch();
    }

    @Override
    public void join(Duration timeout) {
        inner.join(timeout);
    }

    @Override
    public String algorithm() {
        return inner.algorithm();
    }

    @Override
    public Stream defaultStream() {
        return inner.defaultStream();
    }

    @Override
    public void close() {
        inner.close();
    }
}

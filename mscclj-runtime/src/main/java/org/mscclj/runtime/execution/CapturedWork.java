package org.mscclj.runtime.execution;

import java.time.Duration;
import java.util.Objects;
import org.mscclj.api.Work;
import org.mscclj.api.device.Stream;

/**
 * A launch that was captured. It never ends, as it is not carried out: its graph is, any number of times. So that the
 * same code can be captured and run, who joins it within the capture goes on, as what is captured next comes after it.
 *
 * @param only whether it was prepared for this launch alone
 */
record CapturedWork(PreparedPlan prepared, boolean only) implements Work {
    @Override
    public boolean isCompleted() {
        throw prepared.ofGraph();
    }

    @Override
    public void await(Stream stream) {
        prepared.requireCapturing(Objects.requireNonNull(stream, "stream"));
        prepared.orderAfter(0, stream);
    }

    @Override
    public void join() {
        prepared.requireCapturing(prepared.defaultStream());
        if (only) {
            prepared.close(); // which leaves it to the graph
        }
    }

    @Override
    public void join(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        join();
    }

    @Override
    public String algorithm() {
        return prepared.algorithm();
    }

    @Override
    public long sequence() {
        return 0;
    }
}

package org.mscclj.runtime.execution.operation;

import java.time.Duration;
import java.util.Objects;
import org.mscclj.api.Work;
import org.mscclj.api.device.Stream;

/**
 * Work of a captured launch. The launch itself never ends, since the device does not execute it: the device executes
 * its graph, any number of times. A join during the capture returns at once, since later captured work follows the
 * launch. So an application can both capture and execute one piece of code.
 *
 * @param only whether the operation was prepared for this launch alone
 */
record CapturedWork(PreparedCall prepared, boolean only) implements Work {
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
            prepared.close(); // the graph keeps what the operation uses
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

package org.mscclj.cli.perf.peer;

import java.time.Duration;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.cli.check.CallShape;
import org.mscclj.spi.fallback.FallbackCommunicator;

/**
 * A call of another library, launched like one of ours.
 *
 * @param library its name
 * @param communicator enqueues it
 * @param shape the call
 * @param root of a rooted collective
 * @param input the input
 * @param output the output
 * @param defaultStream where it runs
 */
record LibraryOperation(
        String library,
        FallbackCommunicator communicator,
        CallShape shape,
        int root,
        DeviceBuffer input,
        DeviceBuffer output,
        Stream defaultStream)
        implements PreparedOperation {
    private static final Duration CLOSING = Duration.ofSeconds(30);

    @Override
    public void launch(Stream stream) {
        communicator.enqueue(shape.collective(), input, output, shape.type(), shape.op(), root, stream);
    }

    @Override
    public void run(Duration timeout) {
        launch();
        join(timeout);
    }

    @Override
    public boolean isCompleted() {
        return false; // a stream does not tell without waiting
    }

    @Override
    public void join(Duration timeout) {
        defaultStream.synchronize(timeout);
    }

    @Override
    public String algorithm() {
        return library;
    }

    @Override
    public void close() {
        join(CLOSING);
    }
}

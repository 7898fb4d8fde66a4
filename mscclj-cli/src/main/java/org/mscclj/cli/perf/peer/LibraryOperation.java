package org.mscclj.cli.perf.peer;

import java.time.Duration;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.spi.fallback.FallbackCommunicator;

/**
 * A call of another library behind this library's interface of operations.
 *
 * @param library the name of the library
 * @param communicator the communicator that enqueues the call
 * @param shape the call
 * @param root the root of a rooted collective
 * @param input the input
 * @param output the output
 * @param defaultStream the stream on which it runs
 */
record LibraryOperation(
        String library,
        FallbackCommunicator communicator,
        CheckedCall shape,
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
        return false; // a stream cannot be queried without waiting
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

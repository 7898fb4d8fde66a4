package org.mscclj.cli.measure;

import java.time.Duration;
import java.util.List;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;

/**
 * A stream that captures launches of one operation of a backend without capture, and executes them when the graph is
 * launched.
 */
public final class RecordedStream implements Stream {
    private final PreparedOperation operation;
    private final List<String> log;
    private boolean capturing;
    private int captured;

    private RecordedStream(PreparedOperation operation, List<String> log) {
        this.operation = operation;
        this.log = log;
    }

    /**
     * Wraps an operation with such a stream.
     *
     * @param log receives the events of graphs
     */
    public static PreparedOperation on(PreparedOperation operation, List<String> log) {
        return new Recorded(operation, new RecordedStream(operation, log));
    }

    private record Recorded(PreparedOperation operation, RecordedStream defaultStream) implements PreparedOperation {
        @Override
        public void launch(Stream stream) {
            if (defaultStream.capturing) {
                defaultStream.captured++;
            } else {
                operation.launch();
            }
        }

        @Override
        public void run(Duration timeout) {
            operation.run(timeout);
        }

        @Override
        public boolean isCompleted() {
            return operation.isCompleted();
        }

        @Override
        public void join(Duration timeout) {
            operation.join(timeout);
        }

        @Override
        public String algorithm() {
            return operation.algorithm();
        }

        @Override
        public void close() {
            operation.close();
        }
    }

    @Override
    public Graph capture(Runnable work) {
        captured = 0;
        capturing = true;
        work.run();
        capturing = false;
        int launches = captured;
        log.add("captured " + launches);
        return new Graph() {
            @Override
            public void launch(Stream stream) {
                log.add("replayed " + launches);
                for (int i = 0; i < launches; i++) {
                    operation.launch();
                }
            }

            @Override
            public void close() {
                log.add("closed " + launches);
            }
        };
    }

    @Override
    public void synchronize(Duration timeout) {
        operation.join(timeout);
    }

    @Override
    public Device device() {
        return operation.defaultStream().device();
    }

    @Override
    public void copy(DeviceBuffer source, DeviceBuffer destination) {
        throw new IllegalStateException("not measured");
    }

    @Override
    public void record(Event event) {
        throw new IllegalStateException("not measured");
    }

    @Override
    public void await(Event event) {
        throw new IllegalStateException("not measured");
    }

    @Override
    public void close() {}
}

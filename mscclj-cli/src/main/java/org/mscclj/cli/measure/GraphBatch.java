package org.mscclj.cli.measure;

import java.time.Duration;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;

/**
 * Launches that were captured into a graph: one replay starts all of them, without the host in between.
 *
 * @param graph the graph of all launches
 * @param stream the stream of the replay
 * @param launches the number of launches
 * @param clock times replays on the stream
 */
record GraphBatch(Graph graph, Stream stream, int launches, StreamClock clock) implements Batch {
    /** Captures launches on the operation's stream, without executing them. */
    static GraphBatch capture(PreparedOperation operation, int launches) {
        Stream stream = operation.defaultStream();
        StreamClock clock = StreamClock.of(stream.device());
        try {
            Graph graph = stream.capture(() -> {
                for (int i = 0; i < launches; i++) {
                    operation.launch(stream);
                }
            });
            return new GraphBatch(graph, stream, launches, clock);
        } catch (RuntimeException | Error e) {
            try (clock) {
                throw e;
            }
        }
    }

    @Override
    public void run(Duration timeout) {
        graph.launch(stream);
        stream.synchronize(timeout.multipliedBy(launches));
    }

    /** The stream always holds the next replay, so that the device never waits for the host. */
    @Override
    public long time(SampleSize size, Duration timeout) {
        Duration limit = timeout.multipliedBy((long) launches * size.runs());
        replay(size.leadIn());
        clock.start(stream, limit);
        replay(size.repeats());
        clock.stop(stream, limit);
        stream.synchronize(limit);
        return clock.nanos();
    }

    private void replay(int times) {
        for (int i = 0; i < times; i++) {
            graph.launch(stream);
        }
    }

    @Override
    public void close() {
        try (graph;
                clock) {
            // both, even if one fails
        }
    }
}

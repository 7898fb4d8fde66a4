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
 */
record GraphBatch(Graph graph, Stream stream, int launches) implements Batch {
    /** Captures launches on the operation's stream, without executing them. */
    static GraphBatch capture(PreparedOperation operation, int launches) {
        Stream stream = operation.defaultStream();
        Graph graph = stream.capture(() -> {
            for (int i = 0; i < launches; i++) {
                operation.launch(stream);
            }
        });
        return new GraphBatch(graph, stream, launches);
    }

    @Override
    public void run(Duration timeout) {
        graph.launch(stream);
        stream.synchronize(timeout.multipliedBy(launches));
    }

    @Override
    public void close() {
        graph.close();
    }
}

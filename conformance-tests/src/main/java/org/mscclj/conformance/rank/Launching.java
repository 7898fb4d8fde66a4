package org.mscclj.conformance.rank;

import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;

/** Launches the operation of a case directly or by a graph. */
public interface Launching extends AutoCloseable {
    /** Launches, and waits for the end. */
    void run();

    @Override
    void close();

    /** Returns the launching that the case uses. */
    static Launching of(RankContext context, PreparedOperation operation) {
        return context.test().graph() ? new Replaying(context, operation) : new Eager(context, operation);
    }

    /** Launches directly. */
    record Eager(RankContext context, PreparedOperation operation) implements Launching {
        @Override
        public void run() {
            context.run(operation);
        }

        @Override
        public void close() {
            // there is nothing to free
        }
    }

    /** Launches by a graph. */
    record Replaying(RankContext context, Stream stream, Graph graph) implements Launching {
        Replaying(RankContext context, PreparedOperation operation) {
            this(context, context.communicator().stream(), capture(context.communicator().stream(), operation));
            context.meetBeforeReplays();
        }

        private static Graph capture(Stream stream, PreparedOperation operation) {
            return stream.capture(() -> operation.launch(stream));
        }

        @Override
        public void run() {
            graph.launch(stream);
            context.synchronize(stream);
        }

        @Override
        public void close() {
            graph.close();
        }
    }
}

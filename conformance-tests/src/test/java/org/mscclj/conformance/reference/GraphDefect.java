package org.mscclj.conformance.reference;

import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;

/** A way to be wrong about graphs; this one is none. Made anew for each rank. */
class GraphDefect {
    /** Launches a graph on a stream. */
    void launch(Graph graph, Stream stream) {
        graph.launch(stream);
    }

    /** So many graphs more are open. */
    void opened(int more) {}

    /** Whether a communicator says that it was aborted. */
    boolean tellsOfAborts() {
        return true;
    }

    /** A stream is about to be waited for, or a communicator closed. */
    void beforeWaiting() {}
}

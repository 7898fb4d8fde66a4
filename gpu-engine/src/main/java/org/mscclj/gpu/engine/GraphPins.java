package org.mscclj.gpu.engine;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.gpu.stream.CaptureInfo;
import org.mscclj.gpu.stream.GraphLife;

/** The graphs that are alive and hold launches of something. Safe for use by several threads. */
final class GraphPins {
    private final List<GraphLife> graphs = new ArrayList<>();

    /** A graph that is being captured holds a launch from now on. */
    synchronized void add(CaptureInfo capture) {
        graphs.removeIf(GraphLife::isOver);
        GraphLife life = GraphLife.of(capture);
        if (!graphs.contains(life)) {
            graphs.add(life);
        }
    }

    /** Whether there are any. */
    synchronized boolean isEmpty() {
        graphs.removeIf(GraphLife::isOver);
        return graphs.isEmpty();
    }

    /** Those that are alive. */
    synchronized List<GraphLife> alive() {
        graphs.removeIf(GraphLife::isOver);
        return List.copyOf(graphs);
    }
}

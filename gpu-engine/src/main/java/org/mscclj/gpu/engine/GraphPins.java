package org.mscclj.gpu.engine;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.gpu.stream.CaptureInfo;
import org.mscclj.gpu.stream.GraphLife;

/** The live graphs that contain launches of one operation or context. Safe for use by several threads. */
final class GraphPins {
    private final List<GraphLife> graphs = new ArrayList<>();

    /** Records that a graph that is being captured contains a launch from now on. */
    synchronized void add(CaptureInfo capture) {
        graphs.removeIf(GraphLife::isOver);
        GraphLife life = GraphLife.of(capture);
        if (!graphs.contains(life)) {
            graphs.add(life);
        }
    }

    /** Whether there are no live graphs. */
    synchronized boolean isEmpty() {
        graphs.removeIf(GraphLife::isOver);
        return graphs.isEmpty();
    }

    /** The live graphs. */
    synchronized List<GraphLife> alive() {
        graphs.removeIf(GraphLife::isOver);
        return List.copyOf(graphs);
    }
}

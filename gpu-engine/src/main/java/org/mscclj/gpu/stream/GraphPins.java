package org.mscclj.gpu.stream;

import java.util.ArrayList;
import java.util.List;

/** The live graphs that contain launches of one operation or context. Safe for use by several threads. */
public final class GraphPins {
    private final List<GraphLife> graphs = new ArrayList<>();

    /** No graphs. */
    public GraphPins() {}

    /** Records that a graph that is being captured contains a launch from now on. */
    public synchronized void add(CaptureInfo capture) {
        graphs.removeIf(GraphLife::isOver);
        GraphLife life = GraphLife.of(capture);
        if (!graphs.contains(life)) {
            graphs.add(life);
        }
    }

    /** Whether there are no live graphs. */
    public synchronized boolean isEmpty() {
        graphs.removeIf(GraphLife::isOver);
        return graphs.isEmpty();
    }

    /** The live graphs. */
    public synchronized List<GraphLife> alive() {
        graphs.removeIf(GraphLife::isOver);
        return List.copyOf(graphs);
    }
}

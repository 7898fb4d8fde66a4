package org.mscclj.backend.cuda.engine;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.backend.cuda.stream.GraphLife;

/**
 * What of closed contexts is still looked at by kernels in graphs that are alive: little memory, which tells them that they have nothing to do. It is
 * freed when the graphs are gone, at the next opportunity. Safe for use by several threads.
 */
final class Remains {
    private static final List<Remains> OF_PROCESS = new ArrayList<>();

    private final List<GraphLife> graphs;
    private final List<AutoCloseable> resources = new ArrayList<>();

    /** What remains for some graphs; nothing if there are none. */
    Remains(List<GraphLife> graphs) {
        this.graphs = new ArrayList<>(graphs);
    }

    /** Adds something that is closed, in the order of adding, when none of the graphs is alive. */
    void add(AutoCloseable resource) {
        resources.add(resource);
    }

    /** All has been added: frees it, or keeps it as long as it takes. */
    void settle() {
        if (graphs.isEmpty()) {
            free();
        } else {
            synchronized (OF_PROCESS) {
                OF_PROCESS.add(this);
            }
        }
        sweep();
    }

    /** Frees what no graph needs any more. */
    private static void sweep() {
        List<Remains> due = new ArrayList<>();
        synchronized (OF_PROCESS) {
            OF_PROCESS.removeIf(remains -> {
                remains.graphs.removeIf(GraphLife::isOver);
                return remains.graphs.isEmpty() && due.add(remains);
            });
        }
        due.forEach(Remains::free);
    }

    private void free() {
        for (AutoCloseable resource : resources) {
            try {
                resource.close();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}

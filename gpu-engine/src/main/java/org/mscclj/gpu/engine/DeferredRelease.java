package org.mscclj.gpu.engine;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.gpu.stream.GraphLife;

/**
 * What of closed contexts is still looked at by kernels in graphs that are alive: little memory, which tells them that
 * they have nothing to do. It is freed when the graphs are gone, at the next opportunity. Safe for use by several
 * threads.
 */
final class DeferredRelease {
    private static final System.Logger LOGGER = System.getLogger(DeferredRelease.class.getName());
    private static final List<DeferredRelease> OF_PROCESS = new ArrayList<>();

    private final List<GraphLife> graphs;
    private final List<AutoCloseable> resources = new ArrayList<>();

    /** What remains for some graphs; nothing if there are none. */
    DeferredRelease(List<GraphLife> graphs) {
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
        List<DeferredRelease> due = new ArrayList<>();
        synchronized (OF_PROCESS) {
            OF_PROCESS.removeIf(remains -> {
                remains.graphs.removeIf(GraphLife::isOver);
                return remains.graphs.isEmpty() && due.add(remains);
            });
        }
        due.forEach(DeferredRelease::freeOthers);
    }

    /** In whatever thread closes something else, which is not to hear of it. */
    private void freeOthers() {
        try {
            free();
        } catch (RuntimeException e) {
            LOGGER.log(System.Logger.Level.WARNING, "what a graph has kept of a closed communicator was not freed", e);
        }
    }

    /** All of it, also if something fails. */
    private void free() {
        RuntimeException first = null;
        for (AutoCloseable resource : resources) {
            try {
                resource.close();
            } catch (Exception e) {
                if (first == null) {
                    first = e instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(e);
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}

package org.mscclj.gpu.queue;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.gpu.stream.GraphLife;

/**
 * Frees resources of closed contexts that kernels in live graphs still read. These are small pieces of memory from
 * which the kernels see that they have nothing to do. They are freed when the graphs are gone, at the next opportunity.
 * Safe for use by several threads.
 */
public final class DeferredRelease {
    private static final System.Logger LOGGER = System.getLogger(DeferredRelease.class.getName());
    private static final List<DeferredRelease> OF_PROCESS = new ArrayList<>();

    private final List<GraphLife> graphs;
    private final List<AutoCloseable> resources = new ArrayList<>();

    /** Creates a release that waits for the given graphs. Without graphs, resources are freed at once. */
    public DeferredRelease(List<GraphLife> graphs) {
        this.graphs = new ArrayList<>(graphs);
    }

    /** Adds a resource. Resources are closed in the order of adding, when none of the graphs is alive. */
    public void add(AutoCloseable resource) {
        resources.add(resource);
    }

    /** Ends the adding. Frees the resources now, or keeps them until the graphs are gone. */
    public void settle() {
        if (graphs.isEmpty()) {
            free();
        } else {
            synchronized (OF_PROCESS) {
                OF_PROCESS.add(this);
            }
        }
        sweep();
    }

    /** Frees the resources that no graph needs any more. */
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

    /**
     * Frees the resources of other contexts in the thread that closes something else. A failure here must not reach
     * that thread.
     */
    private void freeOthers() {
        try {
            free();
        } catch (RuntimeException e) {
            LOGGER.log(System.Logger.Level.WARNING, "what a graph has kept of a closed communicator was not freed", e);
        }
    }

    /** Frees all resources, also if one of them fails. */
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

package org.mscclj.runtime.execution.operation;

import java.lang.System.Logger.Level;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.mscclj.runtime.execution.waiting.LaunchWait;

/** Closes an operation: ends its launches, and frees its resources, at once or when no graph has its launches. */
final class OperationClosing {
    private static final System.Logger LOGGER = System.getLogger(OperationClosing.class.getName());

    private final String algorithm;
    private final LaunchWait wait;
    private final HeldResources resources;

    /** Lets no launch follow, and returns the number of the last one. */
    private final LongSupplier refusing;

    private final ReentrantLock closing = new ReentrantLock();
    private Runnable leftToGraph = () -> {};

    /** Whether all launches have ended, and no other can follow. Guarded by {@link #closing}. */
    private boolean allEnded;

    /** The number of the last launch. Guarded by {@link #closing}. */
    private long lastSequence;

    /**
     * Creates the closing of an operation that is open.
     *
     * @param refusing lets no launch follow, and returns the number of the last one among the launches that all ranks
     *     make; idempotent
     */
    OperationClosing(String algorithm, LaunchWait wait, HeldResources resources, LongSupplier refusing) {
        this.algorithm = algorithm;
        this.wait = wait;
        this.resources = resources;
        this.refusing = refusing;
    }

    /** Sets the action that follows each close after which a graph keeps the operation. */
    void whenLeftToGraph(Runnable action) {
        leftToGraph = action;
    }

    /** See {@link PreparedCall#close}. */
    void close() {
        closing.lock();
        try {
            endLaunches();
            if (wait.launch().isCaptured()) {
                resources.leaveToGraph();
                leftToGraph.run();
            } else {
                free();
            }
        } finally {
            closing.unlock();
        }
    }

    /** See {@link PreparedCall#closeForGood}. */
    void closeForGood() {
        closing.lock();
        try {
            endLaunches();
            if (!resources.areFreed() && wait.launch().isCaptured()) {
                wait.awaitReplays(lastSequence);
            }
            free();
        } finally {
            closing.unlock();
        }
    }

    /** See {@link PreparedCall#freeIfForgotten}. */
    void freeIfForgotten() {
        if (!wait.launch().isCaptured() && closing.tryLock()) {
            try {
                if (allEnded) {
                    free();
                }
            } catch (RuntimeException e) {
                LOGGER.log(Level.WARNING, "an operation by " + algorithm + " was not freed after its graphs", e);
            } finally {
                closing.unlock();
            }
        }
    }

    /** When this method returns, all launches have ended, or no device is left that could execute them. */
    private void endLaunches() {
        lastSequence = refusing.getAsLong();
        if (!allEnded) {
            wait.awaitAll(lastSequence);
            allEnded = true;
        }
    }

    private void free() {
        if (!resources.areFreed()) {
            wait.recorded().end();
            resources.free();
        }
    }
}

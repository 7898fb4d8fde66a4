package org.mscclj.conformance.operation;

/** An operation that all ranks repeat together. Used by one thread. */
public interface Step extends AutoCloseable {
    /**
     * Runs the operation once, and waits for it.
     *
     * @throws IllegalStateException if its result is wrong
     */
    void run();

    /** Frees the resources of the step. */
    @Override
    void close();
}

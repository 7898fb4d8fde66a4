package org.mscclj.conformance.operation;

/** An operation that a rank makes again and again, as all others do. Used by one thread. */
public interface Step extends AutoCloseable {
    /**
     * Makes it once, and waits for it.
     *
     * @throws IllegalStateException if its result is wrong
     */
    void run();

    /** Frees what it uses. */
    @Override
    void close();
}

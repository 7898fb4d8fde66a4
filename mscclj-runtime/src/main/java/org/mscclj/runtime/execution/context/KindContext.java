package org.mscclj.runtime.execution.context;

/** A context that kinds of calls use. All ranks have equal sets of them, which they make and end together. */
public interface KindContext extends AutoCloseable {
    /** Returns whether no operation of this rank uses this context. */
    boolean isIdle();

    /** Ends what still works for launches that have ended. All ranks must call this before any rank closes. */
    void stop();

    @Override
    void close();
}

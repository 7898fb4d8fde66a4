package org.mscclj.runtime.control;

/**
 * While it is open, {@link ControlPlane#during collective calls} serve one thing. Closed by the thread that has opened
 * it, the last one first.
 */
public interface CallScope extends AutoCloseable {
    /** What held before holds again. */
    @Override
    void close();
}

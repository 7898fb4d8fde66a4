package org.mscclj.runtime.control;

/**
 * The scope of a setting for collective calls, for example of {@link ControlPlane#during}. The thread that opened a
 * scope closes it, the most recently opened one first.
 */
public interface CallScope extends AutoCloseable {
    /** Restores the setting that held before this scope. */
    @Override
    void close();
}

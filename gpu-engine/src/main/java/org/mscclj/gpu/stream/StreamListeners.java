package org.mscclj.gpu.stream;

import java.util.concurrent.CopyOnWriteArrayList;

/** The actions that run before a stream is closed or captured. Safe for use by several threads. */
final class StreamListeners {
    private final CopyOnWriteArrayList<Runnable> closing = new CopyOnWriteArrayList<>();
    private final CopyOnWriteArrayList<Runnable> capturing = new CopyOnWriteArrayList<>();

    /** Adds an action before the stream closes. Adding it again does nothing and allocates nothing. */
    void beforeClosing(Runnable action) {
        closing.addIfAbsent(action);
    }

    /** Adds an action before each capture. Adding it again does nothing. */
    void beforeCapturing(Runnable action) {
        capturing.addIfAbsent(action);
    }

    /** Removes an action of either kind. */
    void remove(Runnable action) {
        closing.remove(action);
        capturing.remove(action);
    }

    /** Runs the actions before a capture. */
    void captures() {
        capturing.forEach(Runnable::run);
    }

    /** Runs all actions before the stream closes, also if one of them fails, and removes all actions. */
    void closes() {
        RuntimeException first = null;
        for (Runnable action : closing) {
            try {
                action.run();
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        closing.clear();
        capturing.clear();
        if (first != null) {
            throw first;
        }
    }
}

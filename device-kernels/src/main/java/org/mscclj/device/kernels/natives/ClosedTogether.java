package org.mscclj.device.kernels.natives;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** What is closed together, the last one first. */
final class ClosedTogether implements AutoCloseable {
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /** Adds a part, and returns it. */
    <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        return part;
    }

    /** Closes all parts, and adds what fails to the reason for that. */
    void closeSuppressing(Throwable reason) {
        try {
            close();
        } catch (RuntimeException e) {
            reason.addSuppressed(e);
        }
    }

    /** Closes all parts. Throws the first exception, to which later ones are added. */
    @Override
    public void close() {
        RuntimeException failure = null;
        while (!parts.isEmpty()) {
            failure = close(parts.pop(), failure);
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static @Nullable RuntimeException close(AutoCloseable part, @Nullable RuntimeException failure) {
        try {
            part.close();
            return failure;
        } catch (Exception e) {
            if (failure == null) {
                return e instanceof RuntimeException own ? own : new IllegalStateException(e);
            }
            failure.addSuppressed(e);
            return failure;
        }
    }
}

package org.mscclj.conformance.task;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * What was opened together, to be closed together: last first, and all of it also if some fails. Used by one thread.
 */
public final class Opened implements AutoCloseable {
    private final Deque<Runnable> closings = new ArrayDeque<>();

    /** Nothing yet. */
    public Opened() {}

    /**
     * Takes something that was opened.
     *
     * @return the same
     */
    public <T> T add(T resource, Consumer<? super T> close) {
        closings.push(() -> close.accept(resource));
        return resource;
    }

    /** Closes all; throws the first failure, the others suppressed in it. Idempotent. */
    @Override
    public void close() {
        if (!closings.isEmpty()) {
            Runnable last = closings.pop();
            Opened rest = this;
            try (rest) {
                last.run();
            }
        }
    }
}

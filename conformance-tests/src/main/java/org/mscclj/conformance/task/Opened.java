package org.mscclj.conformance.task;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Resources that are closed together, the last one first. All of them are closed, also if closing one fails. Used by
 * one thread.
 */
public final class Opened implements AutoCloseable {
    private final Deque<Runnable> closings = new ArrayDeque<>();

    /** Creates an empty set. */
    public Opened() {}

    /**
     * Adds a resource.
     *
     * @return the resource
     */
    public <T> T add(T resource, Consumer<? super T> close) {
        closings.push(() -> close.accept(resource));
        return resource;
    }

    /** Closes all resources. Throws the first failure; the other failures are suppressed in it. Idempotent. */
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

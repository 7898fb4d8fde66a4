package org.mscclj.gpu.thread;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Runs work on another thread, and waits for its result. */
public final class OtherThread {
    private OtherThread() {}

    /**
     * Runs the work. Its exceptions are thrown here.
     *
     * @param starting starts the thread
     */
    public static <T> T call(Executor starting, Supplier<T> work) {
        try {
            return CompletableFuture.supplyAsync(work, starting).join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case RuntimeException unchecked -> throw unchecked;
                case Error error -> throw error;
                case null, default -> throw e;
            }
        }
    }
}

package org.mscclj.gpu.context;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Makes calls that virtual threads must not make: the driver may block, and its current context belongs to a platform
 * thread.
 */
final class PlatformThread {
    private PlatformThread() {}

    /**
     * Runs the work on the calling thread, or on a new platform thread if the calling thread is virtual. Exceptions of
     * the work are thrown here.
     */
    static <T> T call(Supplier<T> work) {
        if (!Thread.currentThread().isVirtual()) {
            return work.get();
        }
        CompletableFuture<T> result = CompletableFuture.supplyAsync(
                work, task -> Thread.ofPlatform().daemon().name("mscclj-gpu").start(task));
        try {
            return result.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case RuntimeException unchecked -> throw unchecked;
                case Error error -> throw error;
                case null, default -> throw e;
            }
        }
    }
}

package org.mscclj.gpu.context;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Calls that must not be made by virtual threads: the driver may block, and its current context belongs to a platform
 * thread.
 */
final class PlatformThread {
    private PlatformThread() {}

    /** Does it on the calling thread, or on a new one if that is virtual. What it throws is passed on. */
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

package org.mscclj.gpu.compile;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Runs the compiler on a thread with a large stack: the compiler is recursive, and a stack overflow in it would end the
 * process.
 */
final class CompilerThread {
    private static final long STACK_BYTES = 64 << 20;

    private CompilerThread() {}

    /** Runs the work, and waits for its result. Exceptions of the work are thrown here. */
    static <T> T call(Supplier<T> work) {
        CompletableFuture<T> result = CompletableFuture.supplyAsync(work, task -> {
            Thread thread = new Thread(null, task, "mscclj-kernel-compiler", STACK_BYTES);
            thread.setDaemon(true);
            thread.start();
        });
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

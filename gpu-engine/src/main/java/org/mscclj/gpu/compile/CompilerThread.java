package org.mscclj.gpu.compile;

import java.util.function.Supplier;
import org.mscclj.gpu.thread.OtherThread;

/**
 * Runs the compiler on a thread with a large stack: the compiler is recursive, and a stack overflow in it would end the
 * process.
 */
final class CompilerThread {
    private static final long STACK_BYTES = 64 << 20;

    private CompilerThread() {}

    /** Runs the work, and waits for its result. Exceptions of the work are thrown here. */
    static <T> T call(Supplier<T> work) {
        return OtherThread.call(
                task -> {
                    Thread thread = new Thread(null, task, "mscclj-kernel-compiler", STACK_BYTES);
                    thread.setDaemon(true);
                    thread.start();
                },
                work);
    }
}

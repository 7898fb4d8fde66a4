package org.mscclj.gpu.context;

import java.util.function.Supplier;
import org.mscclj.gpu.thread.OtherThread;

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
        return Thread.currentThread().isVirtual()
                ? OtherThread.call(
                        task -> Thread.ofPlatform().daemon().name("mscclj-gpu").start(task), work)
                : work.get();
    }
}

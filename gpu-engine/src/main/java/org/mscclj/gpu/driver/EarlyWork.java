package org.mscclj.gpu.driver;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/**
 * Work that other threads do while the calling thread works too, and that is needed right afterwards. It has ended when
 * this is closed, unless the closing thread is interrupted. Work that fails is repeated by the code that needs its
 * result, and that code reports the failure. Used by one thread.
 */
public final class EarlyWork implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(EarlyWork.class.getName());

    private final List<Thread> threads = new ArrayList<>();

    /** Creates an instance without work. */
    public EarlyWork() {}

    /**
     * Starts work in a new thread.
     *
     * @param name of the thread
     */
    public void start(String name, Runnable task) {
        try {
            threads.add(Thread.ofPlatform().name(name).daemon().start(() -> attempt(name, task)));
        } catch (OutOfMemoryError e) { // no thread can be started
            LOGGER.log(Level.DEBUG, name + " was not started", e);
        }
    }

    /** Whether no work was started. */
    public boolean isEmpty() {
        return threads.isEmpty();
    }

    /**
     * Does work on the calling thread.
     *
     * @param what for messages
     */
    public static void attempt(String what, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | LinkageError e) {
            LOGGER.log(Level.DEBUG, what + " failed for now", e);
        }
    }

    @Override
    public void close() {
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt(); // the work continues, and code that needs it waits for it
            }
        }
    }
}

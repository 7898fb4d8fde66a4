package org.mscclj.gpu.driver;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/**
 * Work that other threads do while the calling one does some of its own, and that is needed right afterwards. It has
 * ended when this is closed, unless the thread that closes is interrupted. Whatever fails is done again by who needs
 * it, and told there. Used by one thread.
 */
public final class EarlyWork implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(EarlyWork.class.getName());

    private final List<Thread> threads = new ArrayList<>();

    /** Nothing yet. */
    public EarlyWork() {}

    /**
     * Starts some.
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

    /** Whether nothing was started. */
    public boolean isEmpty() {
        return threads.isEmpty();
    }

    /**
     * Does some on the calling thread.
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
                Thread.currentThread().interrupt(); // the work goes on, and whoever needs it waits for it
            }
        }
    }
}

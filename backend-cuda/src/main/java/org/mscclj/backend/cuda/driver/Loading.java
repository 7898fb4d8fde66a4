package org.mscclj.backend.cuda.driver;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.IntSupplier;
import org.mscclj.backend.cuda.ffm.Linking;

/** Loads what is needed as soon as the driver has started, while it starts: both take a tenth of a second and more. */
final class Loading {
    private static final System.Logger LOGGER = System.getLogger(Loading.class.getName());

    private Loading() {}

    /** Does both; the result is that of the driver. What cannot be loaded is told by who needs it. */
    static int during(IntSupplier start) {
        List<Thread> threads = List.of(
                thread("mscclj-cuda-linking", Linking::linkAll),
                thread("mscclj-cuda-loading", JcudaLibrary::loadIfUnpacked));
        try {
            return start.getAsInt();
        } finally {
            threads.forEach(Loading::join);
        }
    }

    private static Thread thread(String name, Runnable task) {
        return Thread.ofPlatform().name(name).daemon().start(() -> {
            try {
                task.run();
            } catch (RuntimeException | LinkageError e) {
                LOGGER.log(Level.DEBUG, name + " failed", e);
            }
        });
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // it goes on, and whoever needs what it loads waits for that
        }
    }
}

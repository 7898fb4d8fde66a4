package org.mscclj.conformance.task;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * An application whose virtual threads keep all carriers of this process busy: no other virtual thread makes progress.
 * Nevertheless a communicator must work and notice faults. All holders share one set of threads, which end when the
 * last holder closes. Safe for several threads.
 */
public final class BusyCarriers implements AutoCloseable {
    private static final Object LOCK = new Object();
    private static int holders;
    private static @Nullable Application running;

    private boolean closed;

    private BusyCarriers() {}

    /** The threads of the application. There are more threads than carriers. */
    private static final class Application {
        private final int carriers = Runtime.getRuntime().availableProcessors();
        private final CountDownLatch spinning = new CountDownLatch(carriers);
        private volatile boolean over;

        private void start() {
            for (int i = 0; i < 2 * carriers; i++) {
                Thread.ofVirtual().name("busy-" + i).start(() -> {
                    spinning.countDown();
                    while (!over) {
                        Thread.onSpinWait();
                    }
                });
            }
            boolean interrupted = false;
            while (spinning.getCount() > 0) {
                try {
                    spinning.await();
                } catch (InterruptedException e) {
                    interrupted = true; // this takes no longer than the carriers need to begin
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns when all carriers are busy. They stay busy until the holder is closed. */
    public static BusyCarriers hold() {
        synchronized (LOCK) {
            if (holders++ == 0) {
                running = new Application();
                running.start();
            }
            return new BusyCarriers();
        }
    }

    /** Releases the carriers unless there are other holders. Idempotent. */
    @Override
    public void close() {
        synchronized (LOCK) {
            Application last = running;
            if (!closed && --holders == 0 && last != null) {
                last.over = true;
                running = null;
            }
            closed = true;
        }
    }
}

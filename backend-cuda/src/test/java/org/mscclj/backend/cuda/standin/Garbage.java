package org.mscclj.backend.cuda.standin;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.time.Duration;

/** What is not kept. */
public final class Garbage {
    private static final long MAX_NANOS = Duration.ofSeconds(10).toNanos();

    private Garbage() {}

    /**
     * Nobody has it any more, nor does the caller: it goes with the next collection. Waits up to 10 seconds.
     *
     * @param message what it means if somebody has
     */
    public static void assertCollected(WeakReference<?> reference, String message) throws InterruptedException {
        long start = System.nanoTime();
        while (!reference.refersTo(null) && System.nanoTime() - start < MAX_NANOS) {
            System.gc();
            Thread.sleep(1);
        }
        assertTrue(reference.refersTo(null), message);
    }
}

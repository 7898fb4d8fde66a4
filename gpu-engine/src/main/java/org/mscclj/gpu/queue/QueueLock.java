package org.mscclj.gpu.queue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** The lock of a queue, which the driver may make a launching thread keep for long. */
final class QueueLock extends ReentrantLock {
    private static final long serialVersionUID = 1L;

    private static final long MAX_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /**
     * Takes the lock in turn with launching threads. Gives up soon, so as not to wait behind a thread that the driver
     * blocks. Keeps an interrupt for the caller to handle.
     */
    boolean lockSoon() {
        if (tryLock()) {
            return true;
        }
        boolean interrupted = Thread.interrupted();
        try {
            return tryLock(MAX_TURN_NANOS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            interrupted = true;
            return false;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

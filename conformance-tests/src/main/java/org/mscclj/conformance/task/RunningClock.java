package org.mscclj.conformance.task;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The time during which this process ran: it goes as {@link System#nanoTime} does, and never back, but stands still
 * while nothing of the process does. A limit on what an implementation takes is measured by it, since a machine that
 * stalls is not the implementation's fault. Safe for use by any thread.
 *
 * <p>A thread looks at the real time every few milliseconds; what it came too late for did not count.
 */
public final class RunningClock {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /**
     * Between two looks so much counts at most: on a busy machine that is how late a thread comes which has only waited
     * for a core.
     */
    static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final class OfProcess {
        private static final RunningClock CLOCK = started();

        private static RunningClock started() {
            RunningClock clock = new RunningClock(System.nanoTime());
            Thread.ofPlatform().daemon().name("conformance-clock").start(() -> {
                while (true) {
                    LockSupport.parkNanos(clock, LOOK_NANOS);
                    clock.look();
                }
            });
            return clock;
        }
    }

    private long looked;
    private long stood;

    /** One that is first looked at now. */
    RunningClock(long now) {
        looked = now;
    }

    /** The time of this process; only differences between two such times mean something. */
    public static long nanoTime() {
        RunningClock clock = OfProcess.CLOCK;
        synchronized (clock) {
            return clock.running(System.nanoTime());
        }
    }

    private synchronized void look() {
        look(System.nanoTime());
    }

    /** Counts what has passed since the last look. */
    synchronized void look(long now) {
        stood += Math.max(0, now - looked - LONGEST_NANOS);
        looked = now;
    }

    /** What the time is, of which the next look may be late. */
    synchronized long running(long now) {
        return Math.min(now, looked + LONGEST_NANOS) - stood;
    }
}

package org.mscclj.conformance.task;

import java.util.concurrent.TimeUnit;
import org.mscclj.spi.waiting.Backoff;

/**
 * A clock of the time during which this process ran. It advances like {@link System#nanoTime}, and never goes back, but
 * stops while no thread of the process runs. The suite measures time limits of implementations by it, since a machine
 * that stalls is not the implementation's fault. Safe for use by any thread.
 *
 * <p>A thread reads the real time every few milliseconds. Beyond a limit, a delay of this thread does not count.
 */
public final class RunningClock {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /**
     * The longest time that counts between two readings. On a busy machine, a thread that has only waited for a core is
     * late by up to this time.
     */
    static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final class OfProcess {
        private static final RunningClock CLOCK = started();

        private static RunningClock started() {
            RunningClock clock = new RunningClock(System.nanoTime());
            Thread.ofPlatform().daemon().name("conformance-clock").start(() -> {
                while (true) {
                    Backoff.nap(LOOK_NANOS);
                    clock.look();
                }
            });
            return clock;
        }
    }

    private long looked;
    private long stood;

    /** Creates a clock with its first reading. */
    RunningClock(long now) {
        looked = now;
    }

    /** Returns the time of this process. Only differences between two such times have a meaning. */
    public static long nanoTime() {
        RunningClock clock = OfProcess.CLOCK;
        synchronized (clock) {
            return clock.running(System.nanoTime());
        }
    }

    private synchronized void look() {
        look(System.nanoTime());
    }

    /** Counts the time since the last reading. */
    synchronized void look(long now) {
        stood += Math.max(0, now - looked - MAX_NANOS);
        looked = now;
    }

    /** Returns the time; the next reading may be late. */
    synchronized long running(long now) {
        return Math.min(now, looked + MAX_NANOS) - stood;
    }
}

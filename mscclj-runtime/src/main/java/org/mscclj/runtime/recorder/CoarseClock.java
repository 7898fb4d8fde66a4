package org.mscclj.runtime.recorder;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * {@link System#nanoTime} to a millisecond or two, for who asks at every launch: to read the real clock takes more than
 * all else that is recorded. One thread of the process keeps the time while somebody asks often. Where that thread does
 * not come to run, the time stands still. It goes back only when it begins to be kept, by as long as that thread was
 * held up between reading the real clock and saying so. Who asks seldom is given the real time. Safe for use by any
 * thread; asking allocates nothing and waits for nobody.
 *
 * <p>The thread looks whether it is needed some times a second. It is not woken by who asks: that would take longer
 * than to read the clock.
 */
final class CoarseClock {
    /** The one of this process, which is kept as soon as it is first used. */
    static final CoarseClock OF_PROCESS = keptByThread();

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /**
     * A thread that waits for a tick may wait this much longer, on a busy machine; else the time has stood still, or
     * the process.
     */
    private static final long LONGEST_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int STANDS = 64;

    /** After so many ticks somebody must have asked, or the time is not kept any more. */
    private static final int TICKS_BETWEEN_LOOKS = 64;

    /** The time; 0 while it is not kept. */
    private volatile long kept;

    /**
     * Whether somebody has asked since this was last looked at. Written only when it changes, so that threads that ask
     * do not take it from one another.
     */
    private volatile boolean asked;

    private int ticks;

    /**
     * When the time stood still for longer than it should: since when, and until when. The last ones, the oldest
     * overwritten first.
     */
    private final long[] stoodFrom = new long[STANDS];

    private final long[] stoodUntil = new long[STANDS];
    private int stands;

    CoarseClock() {}

    private static CoarseClock keptByThread() {
        CoarseClock clock = new CoarseClock();
        Thread.ofPlatform().daemon().name("mscclj-clock").start(() -> {
            while (true) {
                LockSupport.parkNanos(clock, clock.tick(System.nanoTime()));
            }
        });
        return clock;
    }

    /** The time, as of {@link System#nanoTime}. */
    long nanoTime() {
        long now = kept;
        if (!asked) {
            asked = true;
        }
        return now == 0 ? System.nanoTime() : now;
    }

    /**
     * Keeps the time, if somebody asks for it.
     *
     * @param now the time
     * @return how long until the next tick, in nanoseconds
     */
    long tick(long now) {
        if (ticks++ % TICKS_BETWEEN_LOOKS == 0) {
            boolean needed = asked;
            asked = false;
            if (!needed) {
                kept = 0;
                ticks = 0;
                return LOOK_NANOS;
            }
        }
        if (kept != 0 && now - kept > LONGEST_TICK_NANOS) {
            stood(kept, now);
        }
        kept = now == 0 ? 1 : now;
        return TICK_NANOS;
    }

    private synchronized void stood(long from, long until) {
        stoodFrom[stands % STANDS] = from;
        stoodUntil[stands % STANDS] = until;
        stands++;
    }

    /**
     * The latest time at which whoever was given a time may have asked: the same, unless it has stood still since, as
     * it does while the process is stopped.
     *
     * @param given by {@link #nanoTime}
     */
    synchronized long latest(long given) {
        for (int i = 0; i < Math.min(stands, STANDS); i++) {
            if (stoodFrom[i] == given) {
                return stoodUntil[i];
            }
        }
        return given;
    }
}

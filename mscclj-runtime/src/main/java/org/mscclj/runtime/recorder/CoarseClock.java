package org.mscclj.runtime.recorder;

import java.util.concurrent.TimeUnit;
import org.mscclj.spi.waiting.Backoff;

/**
 * {@link System#nanoTime} with a precision of a millisecond or two, for threads that need the time at every launch:
 * reading the real clock takes longer than all else that is recorded. One thread of the process keeps the time while it
 * is read often. If that thread does not run, the time stands still. The time goes back only when the thread begins to
 * keep it, by the delay between reading the real clock and publishing it. A thread that reads the time seldom gets the
 * real time. Safe for use by any thread; reading allocates nothing and waits for no other thread.
 *
 * <p>The thread checks some times a second whether it is needed. A reading thread does not wake it: that would take
 * longer than reading the clock.
 */
final class CoarseClock {
    /** The clock of this process, which starts at its first use. */
    static final CoarseClock OF_PROCESS = keptByThread();

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /**
     * Delay beyond which a tick means that the time, or the process, has stood still. On a busy machine, a thread may
     * wait up to this long for a tick.
     */
    private static final long MAX_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int STANDS = 64;

    /** Number of ticks after which the time is no longer kept unless a thread has read it. */
    private static final int TICKS_BETWEEN_LOOKS = 64;

    /** The time; 0 while it is not kept. */
    private volatile long kept;

    /**
     * Whether a thread has read the time since the last check of this flag. Written only when it changes, so that
     * reading threads do not take the cache line from one another.
     */
    private volatile boolean asked;

    private int ticks;

    /**
     * Intervals in which the time stood still for longer than it should: their starts and ends. The oldest are
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
                Backoff.nap(clock.tick(System.nanoTime()));
            }
        });
        return clock;
    }

    /** Returns the time, as of {@link System#nanoTime}. */
    long nanoTime() {
        long now = kept;
        if (!asked) {
            asked = true;
        }
        return now == 0 ? System.nanoTime() : now;
    }

    /**
     * Keeps the time, if threads read it.
     *
     * @param now the time
     * @return time until the next tick, in nanoseconds
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
        if (kept != 0 && now - kept > MAX_TICK_NANOS) {
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
     * Returns the latest real time at which a thread may have read the given time: the given time itself, unless the
     * clock has stood still since, as it does while the process is stopped.
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

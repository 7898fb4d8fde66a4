package org.mscclj.conformance.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RunningClockTest {
    private static final long LONGEST = RunningClock.MAX_NANOS;
    private static final long LONG = TimeUnit.SECONDS.toNanos(100);

    /** A time may be negative. */
    private static final long START = -1_000_000_000L;

    private final RunningClock clock = new RunningClock(START);

    @Test
    void whatIsLookedAtInTimeCounts() {
        for (int i = 1; i <= 10; i++) {
            clock.look(START + i * LONGEST);
        }
        assertEquals(START + 10 * LONGEST, clock.running(START + 10 * LONGEST));
        assertEquals(START + 10 * LONGEST + 3, clock.running(START + 10 * LONGEST + 3));
    }

    @Test
    void itStandsStillWithTheProcess() {
        long back = START + LONG;
        assertEquals(START + LONGEST, clock.running(back - 1)); // whoever runs first, the clock's thread or another
        assertEquals(START + LONGEST, clock.running(back));
        clock.look(back);
        assertEquals(START + LONGEST, clock.running(back));
        assertEquals(START + LONGEST + 7, clock.running(back + 7));
        clock.look(back + LONG);
        assertEquals(START + 2 * LONGEST, clock.running(back + LONG));
    }

    @Test
    void theOneOfThisProcessGoesOn() {
        long start = RunningClock.nanoTime();
        long last = start;
        while (last - start < TimeUnit.MILLISECONDS.toNanos(120)) { // more than one look can add
            long now = RunningClock.nanoTime();
            assertTrue(now >= last);
            last = now;
            Thread.onSpinWait();
        }
    }
}

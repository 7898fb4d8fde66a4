package org.mscclj.runtime.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Time in which the process did not run does not count. */
class RunningDeadlineTest {
    private long now;

    private RunningDeadline after(int seconds) {
        return RunningDeadline.after(Duration.ofSeconds(seconds), () -> now);
    }

    private static long seconds(int seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }

    @Test
    void timeInWhichItRunsCounts() {
        RunningDeadline deadline = after(3);
        for (int look = 0; look < 30; look++) {
            now += RunningDeadline.LOOK.toNanos();
            long _ = deadline.left();
        }
        assertEquals(0, deadline.left());
    }

    @Test
    void aStopCountsAsASecond() {
        RunningDeadline deadline = after(3);
        now += seconds(1_000);
        assertEquals(seconds(2), deadline.left());
        assertEquals(RunningDeadline.LOOK.toNanos(), deadline.piece());
    }

    @Test
    void noTimeIsOverAtOnce() {
        assertEquals(0, after(0).piece());
    }

    @Test
    void theLongestTimeDoesNotOverflow() {
        now = -5;
        RunningDeadline deadline = RunningDeadline.after(Duration.ofSeconds(Long.MAX_VALUE), () -> now);
        now = Long.MAX_VALUE / 2;
        assertEquals(Long.MAX_VALUE - seconds(1), deadline.left());
    }
}

package org.mscclj.runtime.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.AbortedException;

class RetryPausesTest {
    private static final long DAY = Duration.ofDays(1).toNanos();

    @Test
    void pausesUntilTheDeadlineHasPassed() {
        Deadline deadline = Deadline.after(Duration.ofMillis(5));
        RetryPauses pauses = new RetryPauses(deadline, 1_000_000, 2_000_000);
        while (pauses.pause("a test")) {
            Thread.onSpinWait();
        }
        assertEquals(0, deadline.left());
    }

    @Test
    void aPauseThatIsCutByTheDeadlineIsNoLongerThanThat() {
        RetryPauses pauses = new RetryPauses(Deadline.after(Duration.ofMillis(1)), DAY, DAY);
        assertTrue(pauses.pause("a test"));
        while (pauses.pause("a test")) {
            Thread.onSpinWait();
        }
    }

    @Test
    void anInterruptedThreadStaysInterrupted() {
        RetryPauses pauses = new RetryPauses(Deadline.after(Duration.ofMinutes(1)), 1, 1);
        Thread.currentThread().interrupt();
        AbortedException e = assertThrows(AbortedException.class, () -> pauses.pause("trying"));
        assertEquals("interrupted while trying", e.getMessage());
        assertTrue(Thread.interrupted());
    }

    @Test
    void noPauseComesAfterTheDeadline() {
        assertFalse(new RetryPauses(Deadline.after(Duration.ZERO), Long.MAX_VALUE, Long.MAX_VALUE).pause("a test"));
    }
}

package org.mscclj.runtime.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Deadlines beyond the greatest number. */
class DeadlineTest {
    private static final Deadline ENDLESS = Deadline.after(Duration.ofSeconds(Long.MAX_VALUE));

    @Test
    void whatIsLeftDoesNotOverflow() {
        assertTrue(ENDLESS.left() > TimeUnit.DAYS.toNanos(365));
        assertEquals(0, Deadline.after(Duration.ZERO).left());
        assertEquals(0, Deadline.after(Duration.ofSeconds(Long.MIN_VALUE)).left());
    }

    @Test
    void theEarlierOfTwoIsRightHoweverFarTheyAre() {
        Deadline soon = Deadline.after(Duration.ofSeconds(1));
        assertSame(soon, soon.earlier(ENDLESS));
        assertSame(soon, ENDLESS.earlier(soon));
        Deadline before = new Deadline(Long.MAX_VALUE - 1);
        Deadline after = new Deadline(Long.MIN_VALUE + 1);
        assertSame(before, before.earlier(after));
        assertSame(before, after.earlier(before));
    }
}

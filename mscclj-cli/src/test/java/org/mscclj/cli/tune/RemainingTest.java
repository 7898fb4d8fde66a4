package org.mscclj.cli.tune;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The rest of a measurement, by a given clock. */
class RemainingTest {
    @Test
    void theRestIsAsLongAsTheSizesSoFar() {
        Remaining remaining = new Remaining(4);
        assertEquals("size 1 of 4", remaining.next(5_000_000_000L));
        for (int i = 0; i < 7; i++) {
            remaining.trial();
        }
        assertEquals("size 2 of 4, about 21 trials and 1:30 minutes left", remaining.next(35_000_000_000L));
        remaining.trial();
        assertEquals("size 3 of 4, about 8 trials and 0:40 minutes left", remaining.next(45_000_000_000L));
    }
}

package org.mscclj.runtime.recorder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CoarseClockTest {
    private final CoarseClock clock = new CoarseClock();

    private void assertReal() {
        long before = System.nanoTime();
        long said = clock.nanoTime();
        assertTrue(said - before >= 0 && System.nanoTime() - said >= 0, "the real time");
    }

    @Test
    void whoAsksSeldomIsGivenTheRealTime() {
        assertReal();
        assertReal();
    }

    @Test
    void timeIsKeptWhileSomebodyAsks() {
        assertReal();
        assertEquals(1_000_000, clock.tick(-5), "nanoseconds until the next tick");
        assertEquals(-5, clock.nanoTime());
        for (long now = 1; now <= 200; now++) {
            assertEquals(1_000_000, clock.tick(now));
            assertEquals(now, clock.nanoTime());
        }
    }

    @Test
    void itIsNotKeptForNobody() {
        assertEquals(100_000_000, clock.tick(1), "nobody has asked yet");
        assertReal();
        clock.tick(7);
        int ticks = 1;
        while (clock.tick(7) == 1_000_000) {
            ticks++;
        }
        assertEquals(64, ticks);
        assertReal();
        assertEquals(1_000_000, clock.tick(8), "somebody has asked again");
        assertEquals(8, clock.nanoTime());
    }

    @Test
    void theTimeZeroIsATimeToo() {
        assertReal();
        clock.tick(0);
        assertEquals(1, clock.nanoTime());
    }
}

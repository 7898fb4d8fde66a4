package org.mscclj.gpu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ClockReadingTest {
    @Test
    void timesBetweenTwoReadingsAreThoseOfTheHost() {
        ClockReading first = new ClockReading(1_700_000_000_000_000_000L, 5_000_000_000L);
        ClockReading later = new ClockReading(1_700_000_002_000_000_000L, 7_000_100_000L);
        assertEquals(5_000_000_000L, first.hostTime(1_700_000_000_000_000_000L, later));
        assertEquals(6_000_050_000L, first.hostTime(1_700_000_001_000_000_000L, later));
        assertEquals(7_000_100_000L, first.hostTime(1_700_000_002_000_000_000L, later));
    }

    @Test
    void oneReadingIsEnoughForTimesNearIt() {
        ClockReading only = new ClockReading(1000, 50_000);
        assertEquals(50_017, only.hostTime(1017, only));
    }
}

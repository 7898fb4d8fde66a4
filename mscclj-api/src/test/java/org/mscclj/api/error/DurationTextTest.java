package org.mscclj.api.error;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Messages print durations as people write them. */
class DurationTextTest {
    @Test
    void theLargestUnitIsTakenOfWhichThereIsOne() {
        assertEquals("600 s", DurationText.of(Duration.ofMinutes(10)));
        assertEquals("40 s", DurationText.of(Duration.ofSeconds(40)));
        assertEquals("1.5 s", DurationText.of(Duration.ofMillis(1500)));
        assertEquals("1 s", DurationText.of(Duration.ofSeconds(1)));
        assertEquals("70 ms", DurationText.of(Duration.ofMillis(70)));
        assertEquals("12.5 µs", DurationText.of(Duration.ofNanos(12_500)));
        assertEquals("999 ns", DurationText.of(Duration.ofNanos(999)));
        assertEquals("0 s", DurationText.of(Duration.ZERO));
    }

    @Test
    void moreThanThreeDecimalsAreCutOff() {
        assertEquals("1.234 s", DurationText.of(Duration.ofNanos(1_234_999_999)));
        assertEquals("2 s", DurationText.of(Duration.ofNanos(2_000_400_000L)));
        assertEquals("999.999 ms", DurationText.of(Duration.ofNanos(999_999_999)));
    }

    @Test
    void aNegativeDurationKeepsItsSign() {
        assertEquals("-1.5 s", DurationText.of(Duration.ofMillis(-1500)));
        assertEquals("-70 ms", DurationText.of(Duration.ofMillis(-70)));
    }

    @Test
    void theLongestDurationHasAText() {
        assertEquals("9223372036854775807.999 s", DurationText.of(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)));
        assertEquals("-9223372036854775807 s", DurationText.of(Duration.ofSeconds(-Long.MAX_VALUE)));
    }

    @Test
    void aRefusedDurationIsPrintedLikewise() {
        assertEquals(
                "timeout is -2 s; allowed: more than 0",
                InvalidArgumentException.of("timeout", Duration.ofSeconds(-2), "more than 0")
                        .getMessage());
    }
}

package org.mscclj.conformance.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GrowthTest {
    private static boolean grows(int rounds, IntToLongFunction amount) {
        List<Long> amounts =
                IntStream.range(0, rounds).mapToLong(amount).boxed().toList();
        return new Growth("bytes", amounts).above(10).isPresent();
    }

    /** Up and down by this much from round to round. */
    private static long noise(int round) {
        return round % 3 * 40L;
    }

    @Test
    void whatEachRoundAddsIsSeenInSpiteOfNoise() {
        assertTrue(grows(24, round -> 1_000_000 + 20L * round + noise(round)));
        assertTrue(grows(20, round -> 1_000_000 + 20L * round + noise(round)));
        assertTrue(grows(20, round -> 1000L * round));
        List<Long> amounts =
                IntStream.range(0, 20).mapToObj(round -> 1000L * round).toList();
        assertEquals(
                "bytes grow by 1000 each round, where 10 are allowed; after the rounds there were " + amounts,
                new Growth("bytes", amounts).above(10).orElse(""));
    }

    @Test
    void whatIsKeptOnceAndWhatComesAndGoesIsNot() {
        assertEquals(
                List.of(false, false, false, false, false),
                List.of(
                        grows(24, GrowthTest::noise),
                        grows(24, round -> round < 5 ? round * 1000L : 5000L + noise(round)),
                        grows(24, round -> 5L * round), // less than is allowed
                        grows(24, round -> 1_000_000 - 100L * round),
                        grows(19, round -> 1000L * round))); // too few
    }

    /**
     * Up and down by much more than a round may add, with any period and any start: the fewest rounds are enough not to
     * be taken in.
     */
    @Test
    void noiseIsNoGrowthInTheFewestRounds() {
        for (int period = 2; period <= 5; period++) {
            for (int start = 0; start < period; start++) {
                int length = period;
                int first = start;
                assertFalse(grows(20, round -> 1_000_000 + (round + first) % length * 100_000L));
                assertFalse(grows(20, round -> 1_000_000 - (round + first) % length * 100_000L));
                assertFalse(grows(20, round -> 1_000_000 + ((round + first) % length == 0 ? 5_000_000 : 0)));
            }
        }
    }
}

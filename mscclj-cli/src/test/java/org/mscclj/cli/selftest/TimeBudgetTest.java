package org.mscclj.cli.selftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The time limits of parts. */
class TimeBudgetTest {
    private static final TimeBudget ALL = new TimeBudget(
            Duration.ofSeconds(210), List.of(PartKind.INFO, PartKind.PLANS, PartKind.CONFORMANCE, PartKind.PERF));

    @Test
    void eachKindHasItsShare() {
        assertEquals(Duration.ofSeconds(10), ALL.limit(Duration.ZERO, PartKind.INFO, 1, 1));
        assertEquals(Duration.ofSeconds(70), ALL.limit(Duration.ofSeconds(10), PartKind.PLANS, 1, 1));
        assertEquals(Duration.ofSeconds(40), ALL.limit(Duration.ofSeconds(170), PartKind.PERF, 1, 1));
    }

    @Test
    void partsDivideItByTheirWeights() {
        assertEquals(Duration.ofSeconds(20), ALL.limit(Duration.ofSeconds(10), PartKind.PLANS, 2, 7));
        assertEquals(Duration.ofSeconds(10), ALL.limit(Duration.ofSeconds(10), PartKind.PLANS, 1, 7));
    }

    @Test
    void unusedTimeIsForLaterParts() {
        assertEquals(Duration.ofSeconds(78), ALL.limit(Duration.ofSeconds(2), PartKind.PLANS, 1, 1));
        assertEquals(Duration.ofSeconds(210), ALL.limit(Duration.ZERO, PartKind.PERF, 1, 1));
    }

    @Test
    void kindsThatAreLeftOutHaveNoShare() {
        TimeBudget perf = new TimeBudget(Duration.ofSeconds(60), List.of(PartKind.PERF));
        assertEquals(Duration.ofSeconds(6), perf.limit(Duration.ZERO, PartKind.PERF, 1, 10));
    }

    @Test
    void afterTheLimitNoTimeIsLeft() {
        assertTrue(!ALL.limit(Duration.ofSeconds(11), PartKind.INFO, 1, 1).isPositive());
    }
}

package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code mscclj stress} on the CPU. */
class StressTest {
    @ParameterizedTest
    @ValueSource(ints = 3)
    void everyScenarioPasses(int ranks) {
        CommandLineRun run = CommandLineRun.of(
                "stress", "--backend", "host", "--ranks", "" + ranks, "--launches", "300", "--communicators", "5");
        assertEquals(0, run.code(), run.out() + run.err());
        for (String name : new String[] {"overlap", "apart", "absent", "many"}) {
            assertTrue(run.out().contains("passed  " + name + ": "), run.out());
        }
    }

    @Test
    void oneScenarioCanBeChosen() {
        CommandLineRun run = CommandLineRun.of(
                "stress", "--backend", "host", "--scenario", "many", "--communicators", "3", "--timeout", "10s");
        assertEquals(0, run.code(), run.out() + run.err());
        assertEquals(2, run.out().lines().count(), run.out());
        assertTrue(run.out().contains("3 communicators"), run.out());
    }
}

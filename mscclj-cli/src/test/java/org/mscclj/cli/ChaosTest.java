package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Kills, terminates and stops ranks in each phase of a communicator's life: 6 cases, 24 in deep tests, or
 * {@code -Dmscclj.chaos.cases=400}. {@code -Dmscclj.seed=N} draws other cases. A failure prints the options that repeat
 * its case.
 */
@Isolated // its processes use both cores, and other tests check for leftover files
@Timeout(value = 6, unit = TimeUnit.HOURS) // its own limit is shorter
class ChaosTest {
    private static final long SEED = Long.getLong("mscclj.seed", 20_261_127);
    private static final int CASES = Integer.getInteger("mscclj.chaos.cases", 6);

    /** A quiet machine with two cores takes 20 seconds for a case in each of four lanes. */
    private static final Duration LIMIT =
            Duration.ofMinutes(10).plus(Duration.ofSeconds(30).multipliedBy(CASES));

    @Test
    void survivorsNameHarmedRanksAndContinueInOneGroup(@TempDir Path folder) throws Exception {
        System.out.println("ChaosTest: -Dmscclj.seed=" + SEED);
        CommandLineRun run = ChildJvm.run(
                folder,
                Map.of(),
                LIMIT,
                "stress",
                "--backend",
                "host",
                "--scenario",
                "chaos",
                "--cases",
                "" + CASES,
                "--lanes",
                "4",
                "--seed",
                "" + SEED,
                "--limit",
                "20s",
                "--late-after",
                "10s");
        assertEquals(0, run.code(), run.out() + run.err());
        assertTrue(run.out().startsWith("# backend host, numbers of ranks and nodes are random, seed "), run.out());
        run.rows().forEach(System.out::println);
    }
}

package org.mscclj.runtime.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks in processes of their own, one of which is killed. */
@Isolated // a second is all that a loss may take to be known
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledProcessTest {
    private static final int RANKS = 3;

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void theOthersNameItWithinASecond(int victim) throws Exception {
        String job = "test-" + UUID.randomUUID();
        List<Process> ranks = new ArrayList<>();
        try {
            for (int rank = 0; rank < RANKS; rank++) {
                ranks.add(RankJvm.start(BarrierUntilLost.class, rank, RANKS, job, Map.of()));
            }
            List<BufferedReader> outputs =
                    ranks.stream().map(Process::inputReader).toList();
            for (BufferedReader output : outputs) {
                assertEquals("ready", output.readLine());
            }
            long killed = System.currentTimeMillis();
            ranks.get(victim).destroyForcibly();
            for (int rank = 0; rank < RANKS; rank++) {
                if (rank != victim) {
                    String line = Objects.requireNonNullElse(outputs.get(rank).readLine(), "nothing");
                    assertTrue(line.startsWith("lost " + victim + " at "), line);
                    long millis = Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)) - killed;
                    assertTrue(millis < 1000, "rank " + rank + " noticed after " + millis + " ms");
                    String fault = Objects.requireNonNullElse(outputs.get(rank).readLine(), "nothing");
                    assertTrue(fault.startsWith("RANK_LOST: rank " + victim + " is lost: "), fault);
                    assertEquals(0, ranks.get(rank).waitFor());
                }
            }
        } finally {
            ranks.forEach(Process::destroyForcibly);
        }
    }
}

package org.mscclj.runtime.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks in processes of their own are killed one after the other; those who are left go on. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShrinkAfterKillTest {
    private static final int RANKS = 4;

    @ParameterizedTest
    @CsvSource({"0, 1", "3, 0"})
    void whoIsLeftGoesOn(int first, int second) throws Exception {
        String job = "test-" + UUID.randomUUID();
        List<Process> ranks = new ArrayList<>();
        try {
            for (int rank = 0; rank < RANKS; rank++) {
                ranks.add(ModuleJvm.start(
                        Map.of(
                                "MSCCLJ_RANK", Integer.toString(rank),
                                "MSCCLJ_WORLD_SIZE", Integer.toString(RANKS),
                                "MSCCLJ_JOB", job),
                        ShrinkUntilTwo.class));
            }
            List<BufferedReader> outputs =
                    ranks.stream().map(Process::inputReader).toList();
            List<Integer> left = new ArrayList<>(List.of(0, 1, 2, 3));
            for (int victim : new int[] {first, second}) {
                for (int rank : left) {
                    assertEquals(
                            "ready " + left.indexOf(rank) + " of " + left.size(),
                            outputs.get(rank).readLine());
                }
                ranks.get(victim).destroyForcibly();
                int lost = left.indexOf(victim);
                left.remove(lost);
                for (int rank : left) {
                    outputs.get(rank).readLine(); // a sum, or none yet
                    assertEquals("lost " + lost, outputs.get(rank).readLine());
                }
            }
            int sum = left.stream().mapToInt(rank -> 1 << rank).sum();
            for (int rank : left) {
                assertEquals(
                        "ready " + left.indexOf(rank) + " of 2",
                        outputs.get(rank).readLine());
                assertEquals("sum " + sum, outputs.get(rank).readLine());
                assertEquals(0, ranks.get(rank).waitFor());
            }
        } finally {
            ranks.forEach(Process::destroyForcibly);
        }
    }
}

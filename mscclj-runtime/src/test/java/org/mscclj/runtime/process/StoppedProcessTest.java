package org.mscclj.runtime.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ranks in processes of their own, one of which is stopped for longer than a launch may take. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoppedProcessTest {
    private static final int RANKS = 3;
    private static final int VICTIM = 1;

    private static void signal(String name, Process process) throws Exception {
        assertEquals(
                0,
                new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .inheritIO()
                        .start()
                        .waitFor());
    }

    @Test
    void everyRankNamesItAndItToo() throws Exception {
        requireNamedByAll(Map.of("MSCCLJ_WATCHDOG_ENQUEUE_SECONDS", "2"));
    }

    @Test
    void itIsNamedWithoutARecorderToo() throws Exception {
        requireNamedByAll(Map.of("MSCCLJ_WATCHDOG_ENQUEUE_SECONDS", "2", "MSCCLJ_RECORDER_ENTRIES", "0"));
    }

    private static void requireNamedByAll(Map<String, String> environment) throws Exception {
        String job = "test-" + UUID.randomUUID();
        List<Process> ranks = new ArrayList<>();
        try {
            for (int rank = 0; rank < RANKS; rank++) {
                ranks.add(RankJvm.start(SumsUntilLate.class, rank, RANKS, job, environment));
            }
            List<BufferedReader> outputs =
                    ranks.stream().map(Process::inputReader).toList();
            for (BufferedReader output : outputs) {
                assertEquals("ready", output.readLine());
            }
            signal("STOP", ranks.get(VICTIM));
            for (int rank = 0; rank < RANKS; rank++) {
                if (rank != VICTIM) {
                    requireNamed(outputs.get(rank));
                }
            }
            signal("CONT", ranks.get(VICTIM));
            requireNamed(outputs.get(VICTIM));
            for (Process rank : ranks) {
                assertEquals(0, rank.waitFor());
            }
        } finally {
            ranks.forEach(Process::destroyForcibly);
        }
    }

    private static void requireNamed(BufferedReader output) throws Exception {
        String line = Objects.requireNonNullElse(output.readLine(), "nothing");
        assertTrue(line.startsWith("missing [" + VICTIM + "]: "), line);
        assertTrue(line.contains("rank " + VICTIM + ": no answer"), line);
    }
}

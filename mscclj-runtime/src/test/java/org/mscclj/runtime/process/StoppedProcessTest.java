package org.mscclj.runtime.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ranks in processes of their own, one of which is stopped for longer than a launch may take. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoppedProcessTest {
    private static final int RANKS = 3;
    private static final int VICTIM = 1;

    /** Within so many both others have gone on when they are told to, on a machine that stands still for some, too. */
    private static final String SECONDS = "6";

    private static final Pattern MISSING = Pattern.compile("missing \\[([0-9, ]*)]: .*");

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
        requireNamedByAll(Map.of("MSCCLJ_WATCHDOG_ENQUEUE_SECONDS", SECONDS));
    }

    @Test
    void itIsNamedWithoutARecorderToo() throws Exception {
        requireNamedByAll(Map.of("MSCCLJ_WATCHDOG_ENQUEUE_SECONDS", SECONDS, "MSCCLJ_RECORDER_ENTRIES", "0"));
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
            for (Process rank : ranks) {
                try (Writer input = rank.outputWriter()) {
                    input.write("go on\n");
                }
            }
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

    /** Another rank may be named as well, which did not answer within a second on a busy machine. */
    private static void requireNamed(BufferedReader output) throws Exception {
        String line = Objects.requireNonNullElse(output.readLine(), "nothing");
        Matcher missing = MISSING.matcher(line);
        assertTrue(missing.matches(), line);
        assertTrue(List.of(missing.group(1).split(", ", -1)).contains(Integer.toString(VICTIM)), line);
        assertTrue(line.contains(": no answer"), line);
    }
}

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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two nodes of one process each; what rank 0 accesses is rank 1's, which stops or ends. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WindowFailuresTest {
    private static final int RANKS = 2;

    private static List<Process> start(boolean puts) throws Exception {
        String job = "test-" + UUID.randomUUID();
        List<Process> ranks = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            ranks.add(RankJvm.start(
                    AccessesUntilLate.class,
                    rank,
                    RANKS,
                    job,
                    Map.of(
                            "MSCCLJ_RANKS_PER_NODE",
                            "1",
                            "MSCCLJ_LOCAL_RANK",
                            "0",
                            "MSCCLJ_MASTER_ADDR",
                            "127.0.0.1",
                            "MSCCLJ_MASTER_PORT", // the first that is free; the job's file tells rank 1
                            "20000-29999",
                            AccessesUntilLate.PUTS,
                            Boolean.toString(puts))));
        }
        return ranks;
    }

    private static String outcome(List<Process> ranks, String signal) throws Exception {
        List<BufferedReader> outputs = ranks.stream().map(Process::inputReader).toList();
        for (BufferedReader output : outputs) {
            assertEquals("ready", output.readLine());
        }
        assertEquals(
                0,
                new ProcessBuilder(
                                "kill",
                                "-" + signal,
                                Long.toString(ranks.getLast().pid()))
                        .inheritIO()
                        .start()
                        .waitFor());
        try (Writer input = ranks.getFirst().outputWriter()) {
            input.write("go on\n");
        }
        return Objects.requireNonNullElse(outputs.getFirst().readLine(), "nothing");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTimeoutNamesTheOwner(boolean puts) throws Exception {
        List<Process> ranks = start(puts);
        try {
            String line = outcome(ranks, "STOP");
            assertTrue(line.startsWith("missing [1]: "), line);
            String access = puts ? "put 1048576 bytes to rank 1" : "get 1048576 bytes from rank 1";
            assertTrue(line.contains("it could not " + access), line);
            assertTrue(line.contains("rank 1: no answer"), line);
        } finally {
            ranks.forEach(Process::destroyForcibly);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLossNamesTheOwner(boolean puts) throws Exception {
        List<Process> ranks = start(puts);
        try {
            String line = outcome(ranks, "KILL");
            assertTrue(
                    line.matches("lost 1: .*rank 1 is lost.*"),
                    line); // whether the control plane, the transport or the proxy finds it first
            assertEquals(0, ranks.getFirst().waitFor());
        } finally {
            ranks.forEach(Process::destroyForcibly);
        }
    }
}

package org.mscclj.runtime.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A job whose processes are all stopped for longer than its timeout, as by a virtual machine that is suspended, goes
 * on.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoppedJobTest {
    /** Long enough for rank 1 to come after the stop on a busy machine; {@link #STOP_MILLIS} is longer. */
    private static final String TIMEOUT_SECONDS = "5";

    private static final long STOP_MILLIS = 7_000;
    private static final long UNTIL_RANK_0_WAITS_MILLIS = 300;

    private static void signal(String name, List<Process> processes) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kill", "-" + name));
        processes.forEach(process -> command.add(Long.toString(process.pid())));
        assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
    }

    @Test
    void waitsDoNotCountTheStop() throws Exception {
        String job = "test-" + UUID.randomUUID();
        List<Process> ranks = new ArrayList<>();
        try {
            for (int rank = 0; rank < 2; rank++) {
                ranks.add(RankJvm.start(
                        WaitsWhileStopped.class,
                        rank,
                        2,
                        job,
                        Map.of(
                                "MSCCLJ_TIMEOUT_SECONDS",
                                TIMEOUT_SECONDS,
                                "MSCCLJ_WATCHDOG_ENQUEUE_SECONDS",
                                TIMEOUT_SECONDS)));
            }
            List<BufferedReader> outputs =
                    ranks.stream().map(Process::inputReader).toList();
            Writer toRank1 = ranks.get(1).outputWriter();
            for (int wait = 0; wait < 2; wait++) {
                for (BufferedReader output : outputs) {
                    assertEquals("ready", output.readLine());
                }
                Thread.sleep(UNTIL_RANK_0_WAITS_MILLIS);
                signal("STOP", ranks);
                Thread.sleep(STOP_MILLIS);
                signal("CONT", ranks);
                toRank1.write("go on\n");
                toRank1.flush();
                for (BufferedReader output : outputs) {
                    assertEquals("done", output.readLine());
                }
            }
            for (Process rank : ranks) {
                assertEquals(0, rank.waitFor());
            }
        } finally {
            ranks.forEach(Process::destroyForcibly);
        }
    }
}

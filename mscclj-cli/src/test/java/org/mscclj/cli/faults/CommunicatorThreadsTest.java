package org.mscclj.cli.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.cli.RankJvm;

/** A process with many communicators has the threads that {@code docs/architecture.md} lists, as with one. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CommunicatorThreadsTest {
    private static final int COMMUNICATORS = 64;
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final String OF_PROCESS =
            "mscclj-clock mscclj-debug mscclj-host-worker-0%s mscclj-watchdog mscclj-work-watcher";
    private static final String CONTROL = " mscclj-world-0-control-1";

    private final String job = "threads-" + UUID.randomUUID();

    @TempDir
    Path temporary;

    @Test
    void ranksAsThreads() throws Exception {
        requireThreads(OF_PROCESS.formatted(""), List.of(Map.of()));
    }

    @Test
    void ranksAsProcesses() throws Exception {
        requireThreads(OF_PROCESS.formatted("") + CONTROL, processes(2));
    }

    @Test
    void ranksOnTwoNodes() throws Exception {
        requireThreads(OF_PROCESS.formatted(" mscclj-proxy mscclj-tcp") + CONTROL, processes(1));
    }

    private List<Map<String, String>> processes(int ranksPerNode) {
        return List.of(RankJvm.variables(0, 2, ranksPerNode, job), RankJvm.variables(1, 2, ranksPerNode, job));
    }

    private void requireThreads(String names, List<Map<String, String>> processes) throws Exception {
        List<RankJvm> started = new ArrayList<>();
        try {
            for (Map<String, String> variables : processes) {
                started.add(RankJvm.start(
                        ThreadsOfCommunicators.class, temporary, variables, Integer.toString(COMMUNICATORS)));
            }
            for (int communicators : new int[] {1, COMMUNICATORS}) {
                String beginning = "with " + communicators + ": ";
                assertEquals(beginning + names, started.getFirst().await(beginning, LIMIT));
            }
            for (RankJvm process : started) {
                assertEquals(0, process.awaitEnd(LIMIT), process::toString);
            }
        } finally {
            started.forEach(RankJvm::close);
        }
    }
}

package org.mscclj.cli.launch;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the guard ends when its launcher is killed, which closes the pipe to the guard. */
@Timeout(60)
class OrphanGuardTest {
    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endAll() {
        started.forEach(process -> process.descendants().forEach(ProcessHandle::destroyForcibly));
        started.forEach(Process::destroyForcibly);
    }

    /** Starts a shell with a child, in the same group as this test. */
    private Process rank(String job) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "sleep 100 & echo; wait");
        builder.environment().put("MSCCLJ_JOB", job);
        Process rank = builder.start();
        started.add(rank);
        assertTrue(rank.getInputStream().read() == '\n', "the child was not started");
        return rank;
    }

    private void guard(String... lines) throws IOException, InterruptedException {
        Process guard = new ProcessBuilder("sh", "-c", OrphanGuard.SCRIPT).start();
        started.add(guard);
        try (Writer launcher = guard.outputWriter()) {
            launcher.write(String.join("\n", lines) + "\n");
        }
        assertTrue(guard.waitFor(30, TimeUnit.SECONDS), "the guard still runs");
    }

    private static void assertEnds(List<ProcessHandle> processes) throws InterruptedException {
        for (ProcessHandle process : processes) {
            for (int look = 0; look < 1000 && process.isAlive(); look++) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            assertFalse(process.isAlive(), process::toString);
        }
    }

    private static List<ProcessHandle> tree(Process process) {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        assertFalse(all.isEmpty(), "the child was not started");
        all.add(process.toHandle());
        return all;
    }

    @Test
    void aRankThatWasBeingStartedEndsWithItsChildren() throws IOException, InterruptedException {
        String job = "guarded-" + UUID.randomUUID();
        List<ProcessHandle> own = tree(rank(job));
        Process other = rank(job + "-not");
        guard("starting MSCCLJ_JOB=" + job);
        assertEnds(own);
        assertTrue(other.isAlive(), "a process of another group was ended");
    }

    @Test
    void startedRanksEndByTheirNumber() throws IOException, InterruptedException {
        String job = "guarded-" + UUID.randomUUID();
        Process own = rank(job);
        Process other = rank(job);
        guard("starting MSCCLJ_JOB=" + job, "started " + own.pid());
        assertEnds(List.of(own.toHandle()));
        assertTrue(other.isAlive(), "only what was started is ended");
    }
}

package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code mscclj stress} on the CPU. */
class StressTest {
    @ParameterizedTest
    @ValueSource(ints = 3)
    void everyScenarioPasses(int ranks) {
        CommandLineRun run = CommandLineRun.of(
                "stress",
                "--backend",
                "host",
                "--ranks",
                "" + ranks,
                "--launches",
                "300",
                "--openings",
                "2",
                "--communicators",
                "5");
        assertEquals(0, run.code(), run.out() + run.err());
        for (String name : new String[] {"overlap", "apart", "absent", "bursts", "many", "objects"}) {
            assertTrue(run.out().contains("passed  " + name + ": "), run.out());
        }
    }

    @Test
    void oneScenarioCanBeChosen() {
        CommandLineRun run = CommandLineRun.of(
                "stress", "--backend", "host", "--scenario", "many", "--communicators", "3", "--timeout", "10s");
        assertEquals(0, run.code(), run.out() + run.err());
        assertEquals("# 1 passed", run.out().lines().toList().getLast(), run.out());
        assertEquals(3, run.out().lines().count(), run.out());
        assertTrue(run.out().contains("3 communicators"), run.out());
    }

    /**
     * In a child JVM, which starts further ones. The limits are generous, since a busy machine stalls for seconds;
     * docs/results has times of an idle one.
     */
    private static CommandLineRun faults(Path folder, String... arguments) throws Exception {
        List<String> line = new ArrayList<>(
                List.of("stress", "--backend", "host", "--limit", "20s", "--late-after", "8s", "--seed", "7"));
        line.addAll(List.of(arguments));
        return ChildJvm.run(folder, line.toArray(String[]::new));
    }

    @Test
    void processesReportKills(@TempDir Path folder) throws Exception {
        processesReportFailures("kills", "3", "3", "3", folder);
    }

    @ParameterizedTest
    @CsvSource({"kills, 3, 1, 3", "cuts, 3, 3, 3", "stops, 3, 3, 2", "mismatches, 3, 3, 7", "mismatches, 2, 1, 6"})
    @Tag("deep")
    void processesReportFailures(String scenario, String ranks, String ranksPerNode, String cases, @TempDir Path folder)
            throws Exception {
        Path json = folder.resolve("result.json");
        CommandLineRun run = faults(
                folder,
                "--scenario",
                scenario,
                "--ranks",
                ranks,
                "--ranks-per-node",
                ranksPerNode,
                "--" + scenario,
                cases,
                "--json",
                json.toString());
        assertEquals(0, run.code(), run.out() + run.err());
        assertTrue(run.out().contains("passed  " + scenario + ": " + cases + " cases"), run.out());
        String text = Files.readString(json);
        assertTrue(text.contains("\"cases\" : " + cases), text);
        assertTrue(text.contains("\"failures\" : [ ]"), text);
    }

    @Test
    void abortsWakeAllRanks() {
        CommandLineRun run = CommandLineRun.of(
                "stress",
                "--backend",
                "host",
                "--ranks",
                "3",
                "--scenario",
                "aborts",
                "--aborts",
                "60",
                "--limit",
                "20s");
        assertEquals(0, run.code(), run.out() + run.err());
        assertTrue(run.out().contains("passed  aborts: 60 cases"), run.out());
    }

    /** Their parent has ended. */
    @Test
    void ranksEndWithTheirParent() throws Exception {
        List<Process> ranks = new ArrayList<>();
        try {
            for (int rank = 0; rank < 2; rank++) {
                ranks.add(ChildJvm.start("stress", "rank"));
            }
            for (int rank = 0; rank < 2; rank++) {
                BufferedWriter input = ranks.get(rank).outputWriter();
                input.write("open stress-orphans-" + ProcessHandle.current().pid() + " " + rank + " 2 2 60000 host\n");
                input.write("repeat allreduce 16\n");
                input.flush();
            }
            for (Process rank : ranks) {
                awaitLine(rank, "RUNNING");
            }
            for (Process rank : ranks) {
                rank.outputWriter().close();
            }
            for (Process rank : ranks) {
                assertTrue(rank.waitFor(60, TimeUnit.SECONDS), "a rank goes on by itself");
            }
        } finally {
            ranks.forEach(Process::destroyForcibly);
        }
    }

    /** A process that prints another line and continues fails the test: it is ended, and so is its reader. */
    private static void awaitLine(Process process, String text) throws Exception {
        Queue<String> lines = new ConcurrentLinkedQueue<>();
        FutureTask<Boolean> found = new FutureTask<>(
                () -> process.inputReader().lines().peek(lines::add).anyMatch(line -> line.contains(text)));
        Thread.ofPlatform().daemon().start(found);
        try {
            assertTrue(found.get(60, TimeUnit.SECONDS), lines::toString);
        } catch (TimeoutException e) {
            throw new AssertionError("no line with " + text + ", but " + lines, e);
        }
    }

    @Test
    void everyScenarioIsInTheReport(@TempDir Path folder) throws Exception {
        Path json = folder.resolve("result.json");
        CommandLineRun run = CommandLineRun.of(
                "stress",
                "--backend",
                "host",
                "--scenario",
                "many,aborts",
                "--communicators",
                "2",
                "--aborts",
                "1",
                "--limit",
                "20s",
                "--json",
                json.toString());
        assertEquals(0, run.code(), run.out() + run.err());
        String text = Files.readString(json).replaceAll("\\s+", "");
        assertTrue(text.contains("{\"scenario\":\"many\",\"passed\":true,"), text);
        assertTrue(text.contains("{\"scenario\":\"aborts\",\"passed\":true,"), text);
        assertTrue(text.contains("\"passed\":true,\"scenarios\":["), text);
    }

    @Test
    void unknownScenariosAreBadUsage() {
        CommandLineRun run = CommandLineRun.of("stress", "--backend", "host", "--scenario", "deaths");
        assertEquals(2, run.code(), run.err());
        assertTrue(run.err().contains("kills"), run.err());
    }

    @Test
    void deviceFaultsNeedABackendWithKernelsOfUsers() {
        CommandLineRun run = CommandLineRun.of("stress", "--backend", "host", "--scenario", "device-faults");
        assertEquals(2, run.code(), run.err());
        assertTrue(run.err().contains("DEVICE_CHANNELS"), run.err());
    }
}

package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code run} and {@code perf} on ranks that are processes. */
class ProcessesTest {
    private static final String PORTS = CommandLineRun.example("sendrecv_port_2ranks");
    private static final String ALLGATHER = CommandLineRun.example("allgather_2ranks");

    @TempDir
    private Path folder;

    @Test
    void runHasOneTableOfAllRanks() throws IOException, InterruptedException {
        CommandLineRun run = ChildJvm.run(
                folder, "run", ALLGATHER, "--procs", "--count", "3,1001", "--iterations", "1", "--seed", "7");
        assertEquals(0, run.code(), run.out() + run.err());
        assertEquals("", run.err());
        assertEquals(2, run.rows().size(), run.out());
        assertTrue(run.out().contains("2 ranks, 2 on each node"), run.out());
        assertTrue(run.out().contains("seed 7"), run.out());
    }

    @Test
    void portChannelsLeadFromNodeToNode() throws IOException, InterruptedException {
        CommandLineRun run = ChildJvm.run(
                folder, "run", PORTS, "--procs", "--ranks-per-node", "1", "--count", "3,100001", "--iterations", "2");
        assertEquals(0, run.code(), run.out() + run.err());
        assertEquals(2, run.rows().size(), run.out());
        assertTrue(run.out().contains("2 ranks, 1 on each node"), run.out());
    }

    @Test
    void underALauncherEachProcessIsOneRank() throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("launch", "--ranks", "2", "--ranks-per-node", "1", "--"));
        line.addAll(ChildJvm.command("run", PORTS, "--count", "5", "--iterations", "0"));
        CommandLineRun run = ChildJvm.run(folder, line.toArray(String[]::new));
        assertEquals(0, run.code(), run.out() + run.err());
        assertEquals(1, run.rows().size(), run.out());
        assertTrue(run.out().contains("2 ranks, 1 on each node"), run.out());
    }

    @Test
    void theLaunchersNumberOfRanksMustFit() throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("launch", "--ranks", "1", "--"));
        line.addAll(ChildJvm.command("run", ALLGATHER));
        CommandLineRun run = ChildJvm.run(folder, line.toArray(String[]::new));
        assertEquals(2, run.code(), run.err());
        assertTrue(run.err().contains("started 1 processes, but there are 2 ranks"), run.err());
    }

    @Test
    void aWrongResultOfAnyRankIsFound() throws IOException, InterruptedException {
        String plan = Files.readString(Path.of(ALLGATHER));
        String wrong = plan.replaceFirst("\\{\"name\": \"copy\"[^\\n]*\\n", "{\"name\": \"nop\"},\n");
        assertFalse(wrong.equals(plan), "the plan has no copy of this form any more");
        Path file = Files.writeString(folder.resolve("wrong.json"), wrong);
        CommandLineRun run = ChildJvm.run(
                folder, "run", file.toString(), "--procs", "--count", "100", "--iterations", "0", "--seed", "5");
        assertEquals(1, run.code(), run.err());
        assertTrue(
                run.err().contains("wrong result: rank 0: 100 of 200 elements; first element 0: expected 0x"),
                run.err());
        assertFalse(run.err().contains("\tat "), run.err());
    }

    @Test
    void perfMeasuresProcesses() throws IOException, InterruptedException {
        CommandLineRun run = ChildJvm.run(
                folder,
                "perf",
                "allreduce",
                "--procs",
                "--ranks",
                "2",
                "-b",
                "64",
                "-e",
                "1K",
                "-f",
                "16",
                "--iterations",
                "2",
                "--warmup",
                "2ms");
        assertEquals(0, run.code(), run.out() + run.err());
        assertEquals(2, run.rows().size(), run.out());
        assertTrue(run.out().contains("# average bus bandwidth"), run.out());
    }

    @Test
    void ranksEndWithTheLauncherThatIsKilled() throws IOException, InterruptedException {
        Process launcher = ChildJvm.start(endless());
        List<ProcessHandle> started;
        try {
            assertTrue(ProcessEnds.soon(() -> ranksOf(launcher).size() == 2), "two ranks start");
            started = launcher.descendants().toList();
        } finally {
            launcher.destroyForcibly();
        }
        started.forEach(process -> ProcessEnds.assertGone(process.pid()));
    }

    @Test
    void aFailureOfAllRanksIsOneLine() throws IOException, InterruptedException {
        CommandLineRun run = ChildJvm.run(
                folder,
                Map.of( // which only ranks read
                        "MSCCLJ_TLS_KEY_STORE",
                        "/no/such/keys",
                        "MSCCLJ_TLS_TRUST_STORE",
                        "/no/such/trust",
                        "MSCCLJ_TLS_PASSWORD",
                        "p"),
                "perf",
                "allreduce",
                "--procs",
                "--ranks",
                "2",
                "-e",
                "1K");
        assertEquals(1, run.code(), run.err());
        List<String> failures = run.failures();
        assertEquals(1, failures.size(), run.err());
        assertTrue(failures.getFirst().contains("/no/such/keys"), run.err());
        assertFalse(failures.getFirst().contains("rank 0: "), "both saw the same: " + run.err());
    }

    @Test
    void aKilledRankIsReportedInOneLineWithTheFindingsOfTheOthers() throws IOException, InterruptedException {
        Path err = folder.resolve("err");
        Process launcher = new ProcessBuilder(ChildJvm.command(endless()))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(err.toFile())
                .start();
        try {
            assertTrue(ProcessEnds.soon(() -> read(err).contains("measuring")), () -> "does not begin: " + read(err));
            ranksOf(launcher).getFirst().destroyForcibly();
            assertTrue(launcher.waitFor(30, TimeUnit.SECONDS), "the launcher ends");
        } finally {
            launcher.destroyForcibly();
        }
        assertEquals(137, launcher.exitValue(), read(err));
        List<String> failures = CommandLineRun.failures(read(err));
        assertEquals(1, failures.size(), read(err));
        assertTrue(
                failures.getFirst().matches("mscclj: rank (\\d) was ended by signal 9; rank \\d: .*rank \\1.*"),
                failures.getFirst());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A command line whose ranks run for longer than any test. */
    private static String[] endless() {
        return "perf allreduce --procs --ranks 2 -b 1K -e 1K --warmup 9h".split(" ");
    }

    private static List<ProcessHandle> ranksOf(Process launcher) {
        return launcher.descendants()
                .filter(process -> process.info()
                        .command()
                        .filter(path -> path.endsWith("/java"))
                        .isPresent())
                .toList();
    }
}

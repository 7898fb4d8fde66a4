package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code selftest}; config/dist/test.sh runs more of it, from the archive. */
class SelftestTest {
    private static final String ALLGATHER = CommandLineRun.example("allgather_2ranks");

    @TempDir
    private Path folder;

    @Test
    void passesOnAHealthyMachine() throws IOException, InterruptedException {
        Path output = folder.resolve("a & b/out");
        CommandLineRun run = selftest(
                "--plans", ALLGATHER, "--parts", "plans,info", "--as", "threads", "--output", output.toString());
        assertEquals(0, run.code(), run.out() + run.err());
        assertTrue(run.out().contains("# 2 passed: " + output.resolve("results.html")), run.out());
        assertTrue(
                run.err().lines().anyMatch(line -> line.matches("plans-2-threads passed, [0-9.]+ s: [0-9]+ right")),
                run.err());
        assertTrue(run.out().lines().toList().get(1).startsWith("info "), run.out());
        String json = Files.readString(output.resolve("results.json"));
        assertTrue(json.contains("\"ok\" : true"), json);
        String html = Files.readString(output.resolve("results.html"));
        assertTrue(html.contains("a &amp; b/out/plans-2-threads.json"), html);
        assertTrue(html.contains("allgather_2ranks"), html);
    }

    @Test
    void thePlansOfTheExamplesAreRunWhereNoneAreNamed() throws IOException, InterruptedException {
        CommandLineRun run = selftest("--parts", "plans", "--as", "threads", "--output", folder.toString());
        assertEquals(0, run.code(), run.out() + run.err());
        assertTrue(run.err().lines().anyMatch(line -> line.matches("plans-2-threads passed, .* right")), run.err());
    }

    /** One part in each run: on a busy machine its end takes seconds, and no time would be left for another part. */
    @ParameterizedTest
    @ValueSource(strings = {"threads", "processes"})
    void aHangingPartIsEndedAndReported(String where) throws IOException, InterruptedException {
        String plan = Files.readString(Path.of(ALLGATHER));
        String hangs = plan.replaceFirst(" *\\{\"name\": \"signal\".*\n", "");
        assertTrue(!hangs.equals(plan));
        Path file = Files.writeString(folder.resolve("hangs.json"), hangs);
        // The plan's own timeout is longer than the part's.
        CommandLineRun run = selftest(
                "--plans",
                file.toString(),
                "--parts",
                "plans",
                "--as",
                where,
                "--minutes",
                "0.1",
                "--output",
                folder.toString());
        assertEquals(1, run.code(), run.out() + run.err());
        assertTrue(run.out().lines().anyMatch(line -> line.matches(".* did not end within [1-5] s")), run.out());
        assertTrue(run.out().contains("# 1 TIMED OUT: "), run.out());
        String json = Files.readString(folder.resolve("results.json"));
        assertTrue(json.contains("\"ok\" : false"), json);
    }

    @Test
    void aPartWithoutTimeIsAFailure() throws IOException, InterruptedException {
        CommandLineRun run = selftest("--parts", "info", "--minutes", "0.01", "--output", folder.toString());
        assertEquals(1, run.code(), run.out() + run.err());
        assertTrue(run.out().contains("NOT RUN"), run.out());
        assertTrue(run.out().contains("give more by --minutes"), run.out());
    }

    /** The query of the machine counts, too: the limit starts with the command. */
    @Test
    void benchmarksAreComparedWithAPeerOnlyIfItCanBeUsed() throws IOException, InterruptedException {
        CommandLineRun run = selftest(
                "--parts", "perf", "--as", "threads", "--peer-if-usable", "nccl", "--output", folder.toString());
        assertEquals(0, run.code(), run.out() + run.err());
        String reason = "benchmarks are compared with nothing: nccl cannot be used; " + folder.resolve("machine.log");
        assertTrue(run.err().contains(reason), run.err());
        assertTrue(Files.readString(folder.resolve("machine.log")).contains("fallbacks"));
        CommandLineRun late = selftest(
                "--parts", "perf", "--peer-if-usable", "nccl", "--minutes", "0.002", "--output", folder.toString());
        assertEquals(1, late.code(), late.out() + late.err());
        assertTrue(late.err().contains("has not answered within"), late.err());
        assertTrue(late.out().contains("NOT RUN"), late.out());
    }

    /** Only if it is requested. */
    @Test
    void stressIsAPart() throws IOException, InterruptedException {
        CommandLineRun run = selftest("--parts", "stress", "--as", "threads", "--output", folder.toString());
        assertEquals(0, run.code(), run.out() + run.err());
        assertTrue(run.out().contains("# 1 passed: "), run.out());
        String json = Files.readString(folder.resolve("stress-2-threads.json"));
        assertTrue(json.contains("\"scenario\" : \"aborts\""), json);
    }

    @Test
    void theBackendMustBeAvailable() throws IOException, InterruptedException {
        CommandLineRun run = ChildJvm.run(
                folder, "selftest", "--backend", "nosuch", "--parts", "info", "--output", folder.toString());
        assertEquals(1, run.code(), run.out() + run.err());
        assertTrue(run.out().contains("the backend is not available; the log says why"), run.out());
    }

    private CommandLineRun selftest(String... arguments) throws IOException, InterruptedException {
        String[] common = {"selftest", "--backend", "host", "--ranks", "2", "--quick"};
        String[] all = new String[common.length + arguments.length];
        System.arraycopy(common, 0, all, 0, common.length);
        System.arraycopy(arguments, 0, all, common.length, arguments.length);
        return ChildJvm.run(folder, all);
    }
}

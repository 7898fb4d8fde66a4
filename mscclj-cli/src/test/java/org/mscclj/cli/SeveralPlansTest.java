package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code run} of several plans, types and packet formats. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SeveralPlansTest {
    private static final String PACKETS = CommandLineRun.example("allreduce_packets_2ranks");
    private static final String ALLGATHER = CommandLineRun.example("allgather_2ranks");
    private static final String RING = CommandLineRun.example("allreduce_ring_4ranks");

    private static final String NOT_MEASURED = "# results are checked, and not measured; --iterations N measures";

    @TempDir
    private Path folder;

    @Test
    void allCombinationsAreRunWithALineEach() {
        CommandLineRun run = CommandLineRun.of(
                "run", PACKETS, ALLGATHER, "--dtype", "float16,int32", "--packet", "LL8,ll16", "--size", "1000,4K");
        assertEquals(0, run.code(), run.out() + run.err());
        assertEquals(8 + 4, run.rows().size(), run.out());
        assertTrue(run.rows().stream().allMatch(line -> line.contains(" right ")), run.out());
        assertEquals(
                List.of(
                        "2",
                        "LL8",
                        "1000",
                        "500",
                        "float16",
                        "sum",
                        "-",
                        "-",
                        "0",
                        "right",
                        "allreduce_packets_2ranks"),
                List.of(run.rows().getFirst().strip().split("\\s+")));
        assertTrue(run.out().endsWith("# 12 right" + System.lineSeparator()), run.out());
        assertEquals(NOT_MEASURED, run.out().lines().toList().get(1), run.out());
    }

    @Test
    void aFolderNamesItsPlans() {
        CommandLineRun run = CommandLineRun.of(
                "run", CommandLineRun.ROOT.resolve("examples/plans").toString(), "--ranks", "2,3", "--size", "1K");
        assertEquals(0, run.code(), run.out() + run.err());
        assertTrue(run.rows().size() > 2, run.out());
        assertTrue(
                run.rows().stream()
                        .allMatch(line ->
                                line.strip().startsWith("2 ") || line.strip().startsWith("3 ")),
                run.out());
    }

    @Test
    void plansCanBeLeftOut() throws IOException {
        wrong();
        Files.copy(Path.of(ALLGATHER), folder.resolve("right.json"));
        CommandLineRun run = CommandLineRun.of("run", folder.toString(), "--except", "wrong", "--size", "1K");
        assertEquals(0, run.code(), run.out() + run.err());
        assertTrue(run.out().contains("# 1 right"), run.out());
        CommandLineRun unknown = CommandLineRun.of("run", folder.toString(), "--except", "rong");
        assertEquals(2, unknown.code());
        assertTrue(unknown.err().contains("--except is rong"), unknown.err());
    }

    @Test
    void timesAreMeasuredIfRequested() {
        CommandLineRun run =
                CommandLineRun.of("run", ALLGATHER, "--dtype", "int8,int32", "--size", "1K", "--iterations", "2");
        assertEquals(0, run.code(), run.out() + run.err());
        for (String row : run.rows()) {
            Double.parseDouble(row.strip().split("\\s+")[6]);
        }
        assertFalse(run.out().contains(NOT_MEASURED), run.out());
    }

    @Test
    void hangsWrongResultsAndBadPlansDoNotStopTheRest() throws IOException {
        Path json = folder.resolve("results.json");
        CommandLineRun run = CommandLineRun.of(
                "run",
                hanging().toString(),
                wrong().toString(),
                Files.writeString(folder.resolve("bad.json"), "{}").toString(),
                ALLGATHER,
                "--size",
                "1K,4K",
                "--timeout",
                "500ms",
                "--json",
                json.toString());
        assertEquals(1, run.code(), run.out() + run.err());
        assertTrue(run.out().contains("# 2 right, 2 wrong, 2 failed, 1 bad plan"), run.out() + run.err());
        assertEquals(2, count(run.out(), "failed +hangs"), run.out());
        assertEquals(2, count(run.out(), "wrong +wrong"), run.out());
        assertEquals(2, count(run.out(), "right +allgather_2ranks"), run.out());
        assertEquals(1, count(run.out(), "bad plan +bad"), run.out());
        String results = Files.readString(json);
        assertTrue(results.contains("\"ok\" : false"), results);
        assertEquals(2, count(results, "\"result\" : \"failed\""), results);
        assertEquals(2, count(results, "\"reason\" : \"wrong result: rank 0:"), results);
    }

    @Tag("deep")
    @Test
    void processesContinueAfterAHang() throws IOException, InterruptedException {
        Path json = folder.resolve("results.json");
        CommandLineRun run = ChildJvm.run(
                folder,
                "run",
                hanging().toString(),
                ALLGATHER,
                "--procs",
                "--ranks",
                "2",
                "--size",
                "1K",
                "--timeout",
                "10s",
                "--json",
                json.toString());
        assertEquals(1, run.code(), run.out() + run.err());
        assertTrue(run.out().contains("# 1 right, 1 failed"), run.out() + run.err());
        // The plan hangs for ten seconds; the line comes after five.
        assertEquals(1, count(run.err(), "run 1 of 2: hangs, 1024 bytes float32"), run.err());
        assertEquals(1, count(Files.readString(json), "\"result\" : \"right\""), Files.readString(json));
    }

    @Test
    void unsupportedRunsAreReportedAndNoFailure() {
        CommandLineRun apart =
                CommandLineRun.of("run", RING, PACKETS, "--ranks-per-node", "2", "--size", "1K", "--timeout", "10s");
        assertEquals(0, apart.code(), apart.out() + apart.err());
        assertTrue(apart.out().contains("# 1 right, 1 unsupported"), apart.out() + apart.err());
        CommandLineRun bits = CommandLineRun.of(
                "run", PACKETS, ALLGATHER, "--op", "bxor", "--dtype", "float32,int32", "--size", "1K");
        assertEquals(0, bits.code(), bits.out() + bits.err());
        assertTrue(bits.out().contains("# 3 right, 1 unsupported"), bits.out() + bits.err());
    }

    @Test
    void noPossibleRunIsAFailure() {
        CommandLineRun nothing = CommandLineRun.of("run", PACKETS, "--op", "bxor", "--dtype", "float32,float16");
        assertEquals(1, nothing.code(), nothing.out());
        CommandLineRun none = CommandLineRun.of("run", PACKETS, "--ranks", "3");
        assertEquals(2, none.code());
        assertTrue(none.err().contains("--ranks is [3], and no given plan has this number"), none.err());
    }

    @Test
    void jsonOfProcessesNeedsOneNumberOfRanks() {
        CommandLineRun run = CommandLineRun.of("run", PACKETS, RING, "--procs", "--json", "-");
        assertEquals(2, run.code());
        assertTrue(run.err().contains("choose one number by --ranks"), run.err());
    }

    /** An allgather whose rank 0 does not signal. */
    private Path hanging() throws IOException {
        return variant("hangs.json", " *\\{\"name\": \"signal\".*\n", "");
    }

    /** An allgather whose rank 0 does not copy its own input. */
    private Path wrong() throws IOException {
        return variant("wrong.json", "\\{\"name\": \"copy\"[^\\n]*\\n", "{\"name\": \"nop\"},\n");
    }

    private Path variant(String name, String text, String replacement) throws IOException {
        String plan = Files.readString(Path.of(ALLGATHER));
        String changed = plan.replaceFirst(text, replacement);
        assertTrue(!changed.equals(plan), "the plan has nothing of this form any more: " + text);
        return Files.writeString(folder.resolve(name), changed);
    }

    private static long count(String text, String pattern) {
        return Pattern.compile(pattern).matcher(text).results().count();
    }
}

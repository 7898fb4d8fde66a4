package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.plan.json.TopologyReader;

/** {@code mscclj simulate} predicts times of plans and algorithms, and calibrates topologies. */
class SimulateTest {
    @TempDir
    private Path folder;

    private static CommandLineRun simulate(String... arguments) {
        return CommandLineRun.of(
                Stream.concat(Stream.of("simulate"), Arrays.stream(arguments)).toArray(String[]::new));
    }

    @Test
    void anAlgorithmHasARowForEachSizeLinksAndAPath() {
        CommandLineRun run =
                simulate("direct", "--topology", "h200x4", "--ranks", "4", "--blocks", "8", "--size", "1K,1M");
        assertEquals(0, run.code(), run.err());
        assertEquals(2, run.rows().size(), run.out());
        assertTrue(run.out().contains("busiest links, 1048576 bytes"), run.out());
        assertTrue(run.out().contains("rank 0 out"), run.out());
        assertTrue(run.out().contains("critical path"), run.out());
        assertTrue(run.out().contains("us of the launch"), run.out());
    }

    @Test
    void everyExamplePlanIsPredicted() throws IOException {
        try (Stream<Path> files =
                Files.list(Path.of(CommandLineRun.example("x")).resolveSibling("."))) {
            for (Path file : files.filter(name -> name.toString().endsWith(".json"))
                    .sorted()
                    .toList()) {
                CommandLineRun run = simulate(file.toString(), "--topology", "mi300x8", "--size", "64K");
                assertEquals(0, run.code(), file + ": " + run.err());
            }
        }
    }

    @Test
    void jsonHoldsTheTimeline() {
        CommandLineRun run = simulate(
                CommandLineRun.example("allreduce_ring_4ranks"), "--topology", "host", "--size", "64K", "--json", "-");
        assertEquals(0, run.code(), run.err());
        for (String key : List.of("time_us", "busbw_gbs", "links", "spans", "dependencies", "critical_path")) {
            assertTrue(run.out().contains('"' + key + '"'), key);
        }
    }

    @Test
    void aMeasurementCalibratesATopologyThatCanBeUsedAgain() throws IOException {
        Path measured = folder.resolve("perf.json");
        CommandLineRun perf = CommandLineRun.of(
                "perf",
                "allreduce",
                "-b",
                "1K",
                "-e",
                "64K",
                "-f",
                "8",
                "--ranks",
                "2",
                "--iterations",
                "2",
                "--json",
                measured.toString());
        assertEquals(0, perf.code(), perf.err());
        Path written = folder.resolve("here.json");
        CommandLineRun run = simulate(
                "direct",
                "--topology",
                "host",
                "--ranks",
                "2",
                "--size",
                "1K",
                "--calibrate",
                measured.toString(),
                "--write",
                written.toString());
        assertEquals(0, run.code(), run.err());
        assertTrue(run.out().contains("mean absolute error"), run.out());
        assertEquals("host, calibrated", TopologyReader.read(written).name());
        CommandLineRun again = simulate("direct", "--topology", written.toString(), "--ranks", "2", "--size", "1K");
        assertEquals(0, again.code(), again.err());
        assertEquals(run.rows(), again.rows());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | direct --topology nowhere | --topology is nowhere; allowed: h200x4",
                "2 | nothing --topology h200x4 | is nothing; allowed: the file of a plan, or one of packets,",
                "2 | direct --topology h200x4 --ranks 5 | there are 5 ranks, and topology h200x4 has 4",
                "2 | direct --topology h200x4 --ranks 0 | ranks is 0; allowed: 1 or more",
                "2 | ring --topology h200x4 --collective broadcast | algorithm ring of broadcast: there is none for broadcast",
                "2 | direct --topology h200x4 --size many | --size is \"MANY\"",
                "2 | direct --topology h200x4 --ranks-per-node 9 | ranks of each node of topology h200x4 is 9; allowed: 1 to 4",
                "2 | direct --topology h200x4 --calibrate gone.json | --calibrate is gone.json, which does not exist",
                "1 | direct --topology h200x8-nodes:2 | which only port channels join",
            })
    void whatIsWrongIsSaidInOneLine(int code, String line, String message) {
        CommandLineRun run = simulate(line.split(" "));
        assertEquals(code, run.code(), run.err());
        assertEquals(1, run.errors().size(), run.err());
        assertTrue(
                run.errors().getFirst().toLowerCase(Locale.ROOT).contains(message.toLowerCase(Locale.ROOT)), run.err());
    }
}

package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.analysis.simulate.topology.TopologyReader;

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

    /** The kind of the topology decides: on GPUs, other programs and more blocks than on the CPU. */
    @ParameterizedTest
    @CsvSource({
        "h200x4, 16K, allreduce_packets_2ranks_8blocks_inplace",
        "h200x4, 1M, allreduce_packets_ll128_2ranks_48blocks_inplace",
        "h200x4, 2M, allreduce_direct_2ranks_32blocks_inplace",
        "mi250x8, 1M, allreduce_direct_2ranks_32blocks_inplace",
        "mi300x8, 1M, allreduce_direct_2ranks_32blocks_inplace",
        "mi355x8, 1M, allreduce_direct_2ranks_32blocks_inplace",
        "host, 16K, allreduce_direct_2ranks_inplace",
        "host, 2M, allreduce_direct_2ranks_4blocks_inplace",
    })
    void aCollectiveIsSimulatedByTheProgramThatCommunicatorsChoose(String topology, String size, String plan) {
        CommandLineRun run = simulate("allreduce", "--topology", topology, "--ranks", "2", "--size", size);
        assertEquals(0, run.code(), run.err());
        assertTrue(run.rows().getFirst().endsWith("  " + plan), run.out());
    }

    @Test
    void anAlgorithmHasTheBlocksThatCommunicatorsChoose() {
        CommandLineRun run = simulate("direct", "--topology", "h200x4", "--ranks", "2", "--size", "2M");
        assertEquals(0, run.code(), run.err());
        assertTrue(run.rows().getFirst().endsWith("  64  allreduce_direct_2ranks_64blocks_inplace"), run.out());
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
                "4",
                "--ranks",
                "2",
                "--iterations",
                "2",
                "--warmup",
                "200ms",
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
        assertTrue(run.out().contains("typical error, as a factor"), run.out());
        assertEquals("host, calibrated", TopologyReader.read(written).name());
        CommandLineRun again = simulate("direct", "--topology", written.toString(), "--ranks", "2", "--size", "1K");
        assertEquals(0, again.code(), again.err());
        assertEquals(run.rows(), again.rows());
    }

    private CommandLineRun calibrate(String measurement, String... arguments) throws IOException {
        Path file = Files.writeString(folder.resolve("measured.json"), measurement);
        return simulate(Stream.concat(Arrays.stream(arguments), Stream.of("--calibrate", file.toString()))
                .toArray(String[]::new));
    }

    private static String measurement(int ranks, int ranksPerNode, String algorithm) {
        String row = "{\"size\":%d,\"in_place\":{\"algorithm\":\"%s\",\"time_us\":%s}}";
        return "{\"collective\":\"allreduce\",\"ranks\":%d,\"ranks_per_node\":%d,\"results\":[%s]}"
                .formatted(
                        ranks,
                        ranksPerNode,
                        Stream.of(1 << 10, 1 << 12, 1 << 14, 1 << 16)
                                .map(size -> row.formatted(size, algorithm, 20 + size / 1e4))
                                .collect(Collectors.joining(",")));
    }

    @Test
    void aMeasurementIsSimulatedOnTheNodesThatItWasMadeOn() throws IOException {
        for (String perNode : List.of("8", "4")) {
            CommandLineRun run = calibrate(
                    measurement(16, 4, "two_level"),
                    "two_level",
                    "--topology",
                    "h200x8-nodes:4",
                    "--ranks-per-node",
                    perNode,
                    "--size",
                    "1K");
            assertEquals(0, run.code(), run.err());
            assertTrue(run.out().contains("typical error"), run.out());
        }
        CommandLineRun two =
                calibrate(measurement(8, 4, "two_level"), "two_level", "--topology", "h200x8-nodes:2", "--size", "1K");
        assertEquals(0, two.code(), two.err());
    }

    @Test
    void measurementsOnNodesThatTheTopologyLacksAreRefused() throws IOException {
        CommandLineRun run = calibrate(
                measurement(8, 8, "port"),
                "port",
                "--topology",
                "h200x8-nodes:2",
                "--ranks-per-node",
                "4",
                "--size",
                "1K");
        assertEquals(1, run.code(), run.out());
        assertTrue(
                run.err()
                        .contains("port of allreduce in place on 8 ranks, 8 on each node: topology h200x8-nodes:2 has 2"
                                + " nodes of 4"),
                run.err());
        CommandLineRun unknown =
                calibrate(measurement(4, 4, "\\u001b[31mmine"), "direct", "--topology", "h200x4", "--size", "1K");
        assertEquals(1, unknown.code(), unknown.out());
        assertTrue(unknown.err().contains("\\u001b[31mmine of allreduce"), unknown.err());
    }

    /** Communicators give their programs less scratch than plans. */
    @Test
    void algorithmsHaveTheScratchThatCommunicatorsGiveThem() {
        CommandLineRun usual = simulate("packets_two_shot", "--topology", "h200x8", "--size", "16M");
        CommandLineRun given =
                simulate("packets_two_shot", "--topology", "h200x8", "--size", "16M", "--scratch-limit", "16M");
        CommandLineRun more =
                simulate("packets_two_shot", "--topology", "h200x8", "--size", "16M", "--scratch-limit", "64M");
        assertEquals(given.rows(), usual.rows());
        assertTrue(usual.rows().getFirst().contains(" 8 "), usual.out());
        assertTrue(more.rows().getFirst().contains(" 2 "), more.out());
    }

    private String limitedPlan(String name) throws IOException {
        String plan = Files.readString(Path.of(CommandLineRun.example("allreduce_ring_4ranks")));
        String limited = plan.replace("\"name\": \"allreduce_ring_4ranks\",", "\"name\": \"" + name + "\",")
                .replaceFirst("\"max_message_size\": *\\d+", "\"max_message_size\": 65536");
        return Files.writeString(folder.resolve("limited.json"), limited).toString();
    }

    @Test
    void sizesBeyondThePlansLimitsAreRefused() throws IOException {
        CommandLineRun run = simulate(limitedPlan("limited"), "--topology", "h200x4", "--size", "64K,256M");
        assertEquals(2, run.code(), run.out());
        assertTrue(run.err().contains("--size is 268435456 bytes; allowed: "), run.err());
        CommandLineRun usual = simulate(limitedPlan("limited"), "--topology", "h200x4");
        assertEquals(0, usual.code(), usual.err());
        assertEquals(2, usual.rows().size(), usual.out());
    }

    @Test
    void namesOfFilesCannotWriteToTheTerminal() throws IOException {
        CommandLineRun run = simulate(limitedPlan("\\u001b[31m\\u202ered"), "--topology", "h200x4", "--size", "1K");
        assertEquals(0, run.code(), run.err());
        assertTrue(run.out().contains("  \\u001b[31m\\u202ered\n"), run.out());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | direct --topology nowhere | --topology is nowhere; allowed: h200x4",
                "2 | nothing --topology h200x4 | is nothing; allowed: the file of a plan, or one of packets,",
                "2 | direct --topology h200x4 --ranks 5 | there are 5 ranks, and topology h200x4 has 4",
                "2 | direct --topology h200x4 --ranks 0 | ranks is 0; allowed: 1 or more",
                "2 | ring --topology h200x4 --collective broadcast | algorithm ring of broadcast: there is none"
                        + " for broadcast",
                "2 | sendrecv --topology h200x4 | is sendrecv; allowed: the file of a plan, or one of packets,",
                "2 | allreduce --topology h200x4 --collective broadcast | --collective is broadcast; allowed: none beside"
                        + " the collective allreduce",
                "2 | two_level --topology h200x8 | and there is one; choose a --topology of several nodes",
                "2 | direct --topology h200x4 --size many | --size is \"MANY\"",
                "2 | direct --topology h200x4 --ranks-per-node 9 | ranks of each node of topology h200x4 is 9;"
                        + " allowed: 1 to 4",
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

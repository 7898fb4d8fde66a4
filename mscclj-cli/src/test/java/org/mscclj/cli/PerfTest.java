package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** {@code mscclj perf}, in process, with small sizes. */
class PerfTest {
    private static final String[] BRIEF = {"--iterations", "3", "--warmup", "2ms", "--timeout", "20s"};

    private static final List<String> NOTHING = Collections.nCopies(6, "-");

    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicTest> everyCollectiveIsRight() {
        return Stream.of(
                        "allreduce",
                        "allgather",
                        "reducescatter",
                        "broadcast --root 2",
                        "alltoall",
                        "reduce --root 1",
                        "scatter --root 2",
                        "gather --root 1")
                .flatMap(collective -> Stream.of("", " --dtype int8", " --dtype bfloat16")
                        .map(type -> DynamicTest.dynamicTest(
                                collective + type,
                                () -> right("perf " + collective + type + " --ranks 3 -b 48 -e 96"))));
    }

    @Test
    void tableHasTheColumnsOfNcclTests() {
        CommandLineRun run = right("perf allreduce --ranks 2 -b 1K -e 4K -f 4 --seed 7");
        List<String> lines = run.out().lines().toList();
        List<String> names = List.of("size", "count", "type", "redop", "root");
        List<String> ours = List.of("time", "algbw", "busbw", "#wrong", "launches", "spread");
        List<String> header = lines.stream()
                .filter(line -> line.contains("redop"))
                .map(line -> columns(line.substring(1)))
                .findFirst()
                .orElseThrow();
        assertEquals(Stream.of(names, ours, ours).flatMap(List::stream).toList(), header);
        assertTrue(run.out().contains("seed 7"), run.out());
        List<List<String>> rows = rows(run);
        assertEquals(2, rows.size(), run.out());
        assertEquals(
                List.of("1024", "256", "float32", "sum", "-1"), rows.getFirst().subList(0, 5));
        assertEquals(
                List.of("4096", "1024", "float32", "sum", "-1"), rows.getLast().subList(0, 5));
        for (List<String> row : rows) {
            assertEquals(17, row.size());
            assertEquals("0", row.get(8));
            assertEquals("0", row.get(14));
            assertTrue(Integer.parseInt(row.get(9)) > 0, "launches of a sample");
            assertTrue(Double.parseDouble(row.get(10)) >= 0, "spread");
            assertEquals(row.get(6), row.get(7), "2 (n - 1) / n is 1 for 2 ranks");
        }
        double average = rows.stream()
                .flatMap(row -> Stream.of(row.get(7), row.get(13)))
                .mapToDouble(Double::parseDouble)
                .average()
                .orElseThrow();
        String last = lines.getLast();
        assertTrue(last.startsWith("# average bus bandwidth: "), last);
        assertEquals(average, Double.parseDouble(columns(last).get(4)), 0.011);
        assertTrue(run.err().contains("measuring size 1 of 2: 1024 bytes out-of-place"), run.err());
        assertTrue(run.err().contains("measuring size 2 of 2: 4096 bytes in-place"), run.err());
    }

    @Test
    void graphsAreReplayedWithoutAPause() {
        CommandLineRun run =
                right("perf allreduce --ranks 2 -b 1K -e 1K --method graph --graph-operations 3 --replays 5"
                        + " --backend host");
        assertEquals("3x5", rows(run).getFirst().get(9));
        assertTrue(
                run.out()
                        .contains("# time: median of 3 samples of launches in a graph x replays without a pause,"
                                + " slowest rank, by the clock of the host; warm-up for 2 ms"),
                run.out());
    }

    @Test
    void onePlacementAlone() {
        List<String> inPlace =
                rows(right("perf allgather --ranks 2 -b 64 -e 64 --in-place")).getFirst();
        assertEquals(NOTHING, inPlace.subList(5, 11));
        assertEquals("0", inPlace.get(14));
        List<String> outOfPlace = rows(right("perf allgather --ranks 2 -b 64 -e 64 --no-in-place"))
                .getFirst();
        assertEquals("0", outOfPlace.get(8));
        assertEquals(NOTHING, outOfPlace.subList(11, 17));
    }

    @Test
    void withoutCheckNothingIsClaimed() {
        List<String> row = rows(right("perf broadcast --ranks 2 -b 64 -e 64 --no-check --root 1"))
                .getFirst();
        assertEquals(List.of("none", "1"), row.subList(3, 5));
        assertEquals("N/A", row.get(8));
        assertEquals("N/A", row.get(14));
    }

    @Test
    void jsonHasWhatTheTableHas() throws IOException {
        Path file = folder.resolve("results.json");
        right("perf alltoall --ranks 2 -b 64 -e 128 --json " + file);
        String json = Files.readString(file);
        for (String part : List.of(
                "\"collective\" : \"alltoall\"",
                "\"ok\" : true",
                "\"size\" : 128",
                "\"in_place\" : {",
                "\"algorithm\" : \"",
                "\"least_us\" : ",
                "\"wrong\" : 0",
                "\"launches\" : ",
                "\"replays\" : 1,",
                "\"spread_percent\" : ",
                "\"warmup_ms\" : 2,",
                "\"peers\" : [ ]")) {
            assertTrue(json.contains(part), part + " in " + json);
        }
        CommandLineRun piped = right("perf alltoall --ranks 2 -b 64 -e 64 --json -");
        assertTrue(piped.out().startsWith("{"), piped.out());
        assertTrue(piped.err().contains("average bus bandwidth"), piped.err());
    }

    @Test
    void htmlIsWellFormedAndNeedsNoOtherFile() throws IOException, ParserConfigurationException, SAXException {
        Path file = folder.resolve("report.html");
        right("perf allreduce --ranks 2 -b 64 -e 1K --html " + file);
        String html = Files.readString(file);
        assertTrue(html.startsWith("<!DOCTYPE html>"));
        assertFalse(
                Pattern.compile("(src|href|url|@import)\\s*[=(]").matcher(html).find(), "refers to another file");
        assertFalse(html.replace("http://www.w3.org/", "").contains("://"), "refers to another site");
        assertFalse(html.contains("{{"), "a place is not filled");
        assertTrue(html.contains("prefers-color-scheme: dark"));
        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(html.replaceFirst("<!DOCTYPE html>\n", ""))));
        assertEquals(2, document.getElementsByTagName("svg").getLength());
        assertEquals(
                4 * 5, document.getElementsByTagName("circle").getLength(), "two plots of two lines of five sizes");
        assertEquals(1 + 2 * 5, document.getElementsByTagName("tr").getLength());
        String json = document.getElementsByTagName("script").item(0).getTextContent();
        assertTrue(json.contains("\"collective\" : \"allreduce\""), json);
    }

    @Test
    void anAlgorithmThatCannotBeUsedIsOneLineBeforeAnythingRuns() {
        refused("allreduce --ranks 2 --algorithm abacus", "abacus", "one of packets, direct");
        refused("allreduce --ranks 2 --algorithm copies_allgather", "which computes allgather", "computes allreduce");
        refused("allreduce --ranks 2 --algorithm ring@many", "ring@many", "behind @");
        refused("allgather --ranks 2 --algorithm ring", "program ring of allgather: there is none for allgather");
        refused("allreduce --ranks 4 --algorithm two_level", "it is for several nodes, and there is one");
        refused("allreduce --ranks 4 --ranks-per-node 2 --algorithm scratch", "2 nodes; use port or two_level");
        refused("alltoall --ranks 2 --algorithm direct", "in place, a part would be overwritten", "--no-in-place");
    }

    private static void refused(String line, String... words) {
        CommandLineRun run = run("perf " + line + " -b 64 -e 64");
        assertEquals(2, run.code(), run.err());
        assertEquals("", run.out());
        assertEquals(1, run.errors().size(), run.err());
        for (String word : words) {
            assertTrue(run.err().contains(word), run.err());
        }
    }

    @Test
    void anAlgorithmsNameMayBeInCapitals() {
        right("perf allreduce --ranks 2 -b 64 -e 64 --algorithm RING");
    }

    @Test
    void withoutMpiThePackageIsNamed() throws IOException, InterruptedException {
        CommandLineRun run =
                ChildJvm.run(folder, Map.of("PATH", folder.toString()), "perf", "allreduce", "--peer", "mpi");
        assertEquals(2, run.code(), run.err());
        assertTrue(run.err().contains("there is no mpicc on PATH") && run.err().contains("openmpi-bin"), run.err());
    }

    @Test
    void withoutNcclTheSearchedPlacesAreNamed() throws IOException, InterruptedException {
        Path missing = folder.resolve("libnccl.so.2");
        for (String peer : List.of("nccl", "nccl-symmetric")) {
            CommandLineRun run = ChildJvm.run(
                    folder, Map.of("MSCCLJ_NCCL_LIB", missing.toString()), "perf", "allreduce", "--peer", peer);
            assertEquals(2, run.code(), run.err());
            assertTrue(
                    run.err().contains("--peer is " + peer)
                            && run.err().contains("MSCCLJ_NCCL_LIB says, " + missing)
                            && run.err().contains("nvidia-nccl-cu13"),
                    run.err());
        }
    }

    @Test
    void theNamedAlgorithmRuns() throws IOException {
        Path file = folder.resolve("default.json");
        right("perf allreduce --ranks 2 -b 64 -e 64 --json " + file);
        String chosen = Files.readString(file).replaceAll("(?s).*?\"algorithm\" : \"([^\"]+)\".*", "$1");
        right("perf allreduce --ranks 2 -b 64 -e 64 --algorithm " + chosen);
    }

    private static CommandLineRun run(String line) {
        return CommandLineRun.of(
                Stream.concat(Stream.of(line.split(" ")), Stream.of(BRIEF)).toArray(String[]::new));
    }

    private static CommandLineRun right(String line) {
        CommandLineRun run = run(line);
        assertEquals(0, run.code(), () -> line + "\n" + run.out() + run.err());
        return run;
    }

    private static List<List<String>> rows(CommandLineRun run) {
        return run.rows().stream().map(PerfTest::columns).toList();
    }

    private static List<String> columns(String line) {
        return List.of(line.strip().split("\\s+"));
    }
}

package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.analysis.verdict.Verdict;
import org.mscclj.analysis.verify.Verifier;
import org.mscclj.api.type.DataType;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.Chunk;
import org.mscclj.language.CollectiveProgram;
import org.mscclj.language.MemoryChannel;
import org.mscclj.language.ProgramBuilder;
import org.mscclj.language.ProgramCollective;
import org.mscclj.language.SyncType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanWriter;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** {@code mscclj run}, in process. */
class RunTest {
    private static final String ALLGATHER = CommandLineRun.example("allgather_2ranks");
    private static final String PACKETS = CommandLineRun.example("allreduce_packets_2ranks");
    private static final String RING = CommandLineRun.example("allreduce_ring_4ranks");

    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicTest> everyExampleIsRight() throws IOException {
        List<Path> plans;
        try (Stream<Path> files = Files.list(CommandLineRun.ROOT.resolve("examples/plans"))) {
            plans = files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
        return plans.stream()
                .map(plan -> DynamicTest.dynamicTest(plan.getFileName().toString(), () -> {
                    right("run", plan.toString(), "--count", "0,1,3,1001,64K", "--iterations", "1");
                    right(
                            "run",
                            plan.toString(),
                            "--count",
                            "777",
                            "--dtype",
                            "bfloat16",
                            "--packet",
                            "ll8",
                            "--iterations",
                            "0");
                }));
    }

    @TestFactory
    Stream<DynamicTest> everyTypeAndOpIsRight() {
        return Stream.of(DataType.values())
                .map(type -> DynamicTest.dynamicTest(type.label(), () -> {
                    List<String> ops = new ArrayList<>(List.of("sum", "product", "min", "max", "avg", "premul-sum:3"));
                    if (type.isFloat()) {
                        ops.add("premul-sum:-0.3");
                    } else {
                        ops.addAll(List.of("band", "bor", "bxor"));
                    }
                    for (String op : ops) {
                        for (String plan : List.of(PACKETS, RING)) {
                            right(
                                    "run",
                                    plan,
                                    "--count",
                                    "1023",
                                    "--dtype",
                                    type.label(),
                                    "--op",
                                    op,
                                    "--iterations",
                                    "0");
                        }
                    }
                }));
    }

    @Test
    void tableHasTheColumnsOfNcclTests() {
        CommandLineRun run = right("run", RING, "--size", "64K,1K", "--seed", "7", "--iterations", "3");
        List<String> lines = run.out().lines().toList();
        assertTrue(lines.getFirst().contains("allreduce_ring_4ranks"), run.out());
        assertTrue(run.out().contains("seed 7"), run.out());
        assertTrue(run.out().contains("sum|x|"), run.out());
        List<String> names = List.of("size", "count", "type", "redop", "time", "algbw", "busbw", "#wrong");
        assertTrue(
                lines.stream()
                        .anyMatch(line -> columns(line.replaceFirst("^#", "")).equals(names)),
                run.out());
        List<String> row = columns(lines.get(lines.size() - 2));
        assertEquals(List.of("65536", "16384", "float32", "sum"), row.subList(0, 4));
        assertEquals("0", row.getLast());
        double algbw = Double.parseDouble(row.get(5));
        assertEquals(algbw * 1.5, Double.parseDouble(row.get(6)), 0.011);
        assertEquals(65536 / Double.parseDouble(row.get(4)) / 1e3, algbw, 0.011);
    }

    @Test
    void roundingIsReported() {
        CommandLineRun run = right("run", ALLGATHER, "--size", "1001", "--iterations", "0");
        assertTrue(
                run.err().contains("rounded down from 1001 to 1000 bytes: 2 slices of whole elements of float32"),
                run.err());
        assertEquals(
                List.of("1000", "125"),
                columns(run.out().lines().toList().getLast()).subList(0, 2));
        assertEquals(
                "",
                right("run", ALLGATHER, "--size", "1000", "--iterations", "0").err());
    }

    @Test
    void sizesOutsideThePlansLimitsAreRefused() throws IOException {
        String limited = variant(ALLGATHER, "\"min_message_size\": 0", "\"min_message_size\": 2097152");
        CommandLineRun run = CommandLineRun.of("run", limited, "--size", "1K");
        assertEquals(2, run.code());
        assertTrue(run.err().contains("1024 bytes; allowed: 2097152 bytes and more, the limits"), run.err());
        // Without --size the default moves to what the plan accepts.
        assertEquals(
                "2097152",
                columns(right("run", limited, "--iterations", "0")
                                .out()
                                .lines()
                                .toList()
                                .getLast())
                        .getFirst());
    }

    @Test
    void jsonGoesToAFileOrToTheStandardOutput() throws IOException {
        Path file = folder.resolve("results.json");
        CommandLineRun run = right("run", RING, "--size", "1K,4K", "--iterations", "1", "--json", file.toString());
        assertTrue(run.out().contains("# plan"));
        List<String> names = fields(Files.readString(file));
        for (String name : List.of(
                "plan", "seed", "ok", "results", "size", "count", "time_us", "algbw_gbs", "busbw_gbs", "wrong")) {
            assertTrue(names.contains(name), name + " in " + names);
        }
        CommandLineRun piped = right("run", RING, "--size", "1K", "--iterations", "0", "--json", "-");
        assertTrue(piped.err().contains("# plan"));
        assertTrue(fields(piped.out()).contains("results"));
        CommandLineRun nowhere = CommandLineRun.of(
                "run",
                RING,
                "--size",
                "1K",
                "--iterations",
                "0",
                "--json",
                folder.resolve("no/such").toString());
        assertEquals(2, nowhere.code());
        assertTrue(nowhere.err().contains("cannot write"), nowhere.err());
    }

    @Test
    void theSeedReproducesTheData() throws IOException {
        String[] line = {"run", withoutCopy(), "--count", "100", "--seed", "5", "--iterations", "0"};
        String first = CommandLineRun.of(line).err();
        assertTrue(first.contains("wrong result: rank 0: 100 of 200 elements; first element 0: expected 0x"), first);
        assertEquals(first, CommandLineRun.of(line).err());
    }

    @Test
    void aMissingChunkIsFound() throws IOException {
        CommandLineRun run = CommandLineRun.of("run", withoutCopy(), "--count", "100,200", "--json", "-");
        assertEquals(1, run.code());
        assertTrue(
                run.err().contains("wrong result: rank 0: 200 of 400 elements; first element 0: expected")
                        || run.err().contains("wrong result: rank 0: 100 of 200 elements; first element 0: expected"),
                run.err());
        assertTrue(run.out().contains("\"ok\" : false"), run.out());
    }

    @Test
    void aMisplacedChunkIsFound() throws IOException {
        // Rank 0's own chunk is stored in the place of rank 1's, concurrently with it: either may remain.
        String wrong = variant(
                ALLGATHER,
                "\"dst_buff\": [{\"type\": \"o\", \"index\": 0",
                "\"dst_buff\": [{\"type\": \"o\", \"index\": 1");
        CommandLineRun run = CommandLineRun.of("run", wrong, "--count", "100", "--iterations", "0");
        assertEquals(1, run.code());
        assertTrue(run.err().contains("of 200 elements; first element 0: expected"), run.err());
    }

    /** An allgather whose rank 0 does not copy its own input, and is the same in all else. */
    private String withoutCopy() throws IOException {
        String plan = Files.readString(Path.of(ALLGATHER));
        String wrong = plan.replaceFirst("\\{\"name\": \"copy\"[^\\n]*\\n", "{\"name\": \"nop\"},\n");
        assertTrue(!wrong.equals(plan), "the plan has no copy of this form any more");
        return written(wrong);
    }

    @Test
    void aLostContributionIsFound() throws IOException {
        String plan = Files.readString(Path.of(RING));
        // The first reduction copies instead: its source comes alone.
        String wrong = plan.replaceFirst(
                "\"name\": \"re\", \"src_buff\": \\[(\\{[^}]*}), \\{[^}]*}", "\"name\": \"re\", \"src_buff\": [$1");
        assertTrue(!wrong.equals(plan), "the plan has no reduction of this form any more");
        for (String type : List.of("float32", "float16", "bfloat16", "float8_e4m3", "float8_e5m2", "int32")) {
            CommandLineRun run = CommandLineRun.of("run", written(wrong), "--size", "4K", "--dtype", type);
            assertEquals(1, run.code(), type);
            assertTrue(run.err().contains("wrong result"), type + ": " + run.err());
        }
    }

    /** Each rank adds the others' inputs to its own, and so in a different order. */
    @Test
    void outputsMayDifferInTheirBitsWhereThePlanReducesInSeveralOrders() throws IOException {
        Plan plan = CollectiveProgram.define(
                        AlgoSpec.builder("own_first", ProgramCollective.allReduce(3, 1, false))
                                .build(),
                        RunTest::ownFirst)
                .compile();
        Verdict proof = Verifier.verify(plan);
        assertTrue(proof.isProved() && !proof.equalBits(), proof.findings().toString());
        String file = written(PlanWriter.write(plan));
        CommandLineRun run = right("run", file, "--count", "3000", "--iterations", "0");
        assertTrue(run.err().contains("differ in their bits, which this plan allows"), run.err());
        right("run", file, file, "--count", "3000", "--iterations", "0");
    }

    private static void ownFirst(ProgramBuilder program) {
        for (int rank = 0; rank < 3; rank++) {
            List<MemoryChannel> channels =
                    List.of(program.memoryChannel((rank + 1) % 3, rank), program.memoryChannel((rank + 2) % 3, rank));
            Chunk own = program.rank(rank).input().whole();
            Chunk result = program.rank(rank).output().whole();
            Chunk next = program.rank((rank + 1) % 3).input().whole();
            Chunk last = program.rank((rank + 2) % 3).input().whole();
            channels.forEach(channel -> channel.relaxedSignal(0));
            channels.forEach(channel -> channel.relaxedAwait(0, SyncType.AFTER));
            channels.getFirst().reduce(own, List.of(next), result, 0);
            channels.getLast().reduce(result, List.of(last), 0);
            channels.forEach(channel -> channel.relaxedSignal(0, SyncType.BEFORE));
            channels.forEach(channel -> channel.relaxedAwait(0, SyncType.AFTER));
        }
    }

    @Test
    void aPlanThatHangsEndsWithItsTimeout() throws IOException {
        String plan = Files.readString(Path.of(RING));
        String hangs = plan.replaceFirst(" *\\{\"name\": \"signal\".*\n", "");
        assertTrue(!hangs.equals(plan));
        String file = written(hangs);
        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> {
            CommandLineRun run = CommandLineRun.of("run", file, "--size", "1K", "--timeout", "500ms", "--json", "-");
            assertEquals(1, run.code());
            assertEquals(1, run.failures().size(), run.err());
            assertTrue(run.err().contains("rank"), run.err());
            assertTrue(run.out().contains("\"error\""), run.out());
        });
    }

    @Test
    void strictRefusesRelaxedSignalsThatMustRelease() throws IOException {
        String relaxed = variant(ALLGATHER, "\"name\": \"signal\"", "\"name\": \"rlxsignal\"");
        CommandLineRun strict = CommandLineRun.of("run", relaxed, "--strict", "--iterations", "0");
        assertEquals(1, strict.code());
        assertTrue(strict.err().contains("rank 0, block 0, op 7"), strict.err());
        right("run", relaxed, "--iterations", "0");
        right("run", ALLGATHER, "--strict", "--iterations", "0");
    }

    private static CommandLineRun right(String... args) {
        CommandLineRun run = CommandLineRun.of(args);
        assertEquals(0, run.code(), () -> String.join(" ", args) + "\n" + run.out() + run.err());
        return run;
    }

    /** A copy of a plan with the first occurrence of a text replaced. */
    private String variant(String plan, String text, String replacement) throws IOException {
        String original = Files.readString(Path.of(plan));
        int at = original.indexOf(text);
        assertTrue(at >= 0, text);
        return written(original.substring(0, at) + replacement + original.substring(at + text.length()));
    }

    private String written(String plan) throws IOException {
        return Files.writeString(Files.createTempFile(folder, "plan", ".json"), plan)
                .toString();
    }

    private static List<String> columns(String line) {
        return List.of(line.strip().split("\\s+"));
    }

    /** The names of all fields; fails if it is not JSON. */
    private static List<String> fields(String json) {
        List<String> names = new ArrayList<>();
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.PROPERTY_NAME) {
                    names.add(parser.currentName());
                }
            }
        }
        return names;
    }
}

package org.mscclj.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.cli.CommandLineRun;

/** {@code mscclj plan verify} ends with 0 if all plans are proved, and else with 1 and the reasons. */
class VerifyCommandTest {
    private static final Path EXAMPLE = Path.of(CommandLineRun.example("allgather_2ranks"));

    @TempDir
    private Path folder;

    private CommandLineRun verify(String plan, String... options) throws IOException {
        Path file = folder.resolve("plan.json");
        Files.writeString(file, plan);
        List<String> line = new ArrayList<>(List.of("plan", "verify", file.toString()));
        line.addAll(List.of(options));
        return CommandLineRun.of(line.toArray(String[]::new));
    }

    @Test
    void everyExampleIsProved() throws IOException {
        List<String> line = new ArrayList<>(List.of("plan", "verify"));
        try (Stream<Path> files = Files.list(EXAMPLE.resolveSibling("."))) {
            files.map(Path::toString)
                    .filter(file -> file.endsWith(".json"))
                    .sorted()
                    .forEach(line::add);
        }
        CommandLineRun run = CommandLineRun.of(line.toArray(String[]::new));
        assertEquals(0, run.code(), run.out() + run.err());
        assertEquals(
                line.size() - 2,
                run.out().lines().filter(out -> out.contains(": proved: ")).count(),
                run.out());
    }

    /**
     * One operation of rank 0 is changed: a nop, a signal or a wait is left out, or a put has another chunk as its
     * target.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    \\{"name": "nop"},\\s*(\\{"name": "signal") | $1 | a nop is missing: the threads of the block do not synchronise between op 4 and rank 0, block 0, op 6
                    \\{"name": "signal"[^}]*}, | '' | waits for ever: rank 1 waits 2 times in each launch on memory channel #0, and rank 0 signals there once
                    \\{"name": "wait"[^}]*},\\s* | '' | race: nothing orders two accesses to rank 0 o[1]:
                    ("dst_buff": \\[\\{"buffer_id": 0, "index": )0 | $11 | wrong result: rank 1, chunk 0 of the output of allgather ends up with nothing that the launch has written; it should be input chunk 0 of rank 0
                    """)
    void whatIsWrongIsRefutedInWords(String found, String instead, String message) throws IOException {
        CommandLineRun run = verify(Files.readString(EXAMPLE).replaceFirst(found, instead));
        assertEquals(1, run.code(), run.out());
        assertTrue(run.out().contains(": refuted: allgather of 2 ranks"), run.out());
        assertTrue(run.out().contains(message), run.out());
    }

    @Test
    void aRelaxedSignalIsNotedAndRefusedIfStrict() throws IOException {
        String plan = Files.readString(EXAMPLE).replace("\"signal\"", "\"rlxsignal\"");
        CommandLineRun lenient = verify(plan);
        assertEquals(0, lenient.code(), lenient.out());
        assertTrue(lenient.out().contains("note: relies on engines to raise"), lenient.out());
        CommandLineRun strict = verify(plan, "--strict");
        assertEquals(1, strict.code(), strict.out());
        assertTrue(strict.out().contains(": refuted: allgather of 2 ranks"), strict.out());
        assertTrue(strict.out().contains("race: nothing orders two accesses to rank"), strict.out());
    }

    @Test
    void aFolderNamesItsPlans() throws IOException {
        Files.copy(EXAMPLE, folder.resolve("b.json"));
        Files.writeString(folder.resolve("a.json"), "{}");
        Files.writeString(folder.resolve("c.txt"), "no plan");
        CommandLineRun run = CommandLineRun.of("plan", "verify", folder.toString());
        assertEquals(1, run.code(), run.out() + run.err());
        List<String> lines =
                run.out().lines().filter(line -> !line.startsWith("  ")).toList();
        assertEquals(2, lines.size(), run.out());
        assertTrue(lines.getFirst().endsWith("a.json: not a valid plan"), run.out());
        assertTrue(lines.getLast().contains("b.json: proved: "), run.out());
    }

    @Test
    void aFolderWithoutPlansIsBadUsage() {
        CommandLineRun run = CommandLineRun.of("plan", "verify", folder.toString());
        assertEquals(2, run.code(), run.out());
        assertTrue(run.err().contains(folder + ": there is no *.json in this folder"), run.err());
    }

    @Test
    void otherFilesAreReported() throws IOException {
        CommandLineRun run = verify("{}");
        assertEquals(1, run.code(), run.out());
        assertTrue(run.out().contains("not a valid plan"), run.out());
    }
}

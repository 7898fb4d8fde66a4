package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.cli.guide.Page;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.json.PlanReader;

/** The programs and commands of the README, the guide and the other pages work as they stand there. */
class ReadmeTest {
    private static final Page DLPACK = Page.of(CommandLineRun.ROOT.resolve("docs/dlpack.md"));

    @Test
    void theJavaExampleCompilesAndRuns(@TempDir Path folder) throws IOException, InterruptedException {
        String text = run(folder, "Allreduce");
        assertEquals(
                List.of("rank 0: 10.0", "rank 1: 10.0", "rank 2: 10.0", "rank 3: 10.0"),
                text.lines().filter(line -> line.startsWith("rank ")).sorted().toList(),
                text);
    }

    @Test
    void aUsersCollectiveIsCompiledAndRight(@TempDir Path folder) throws IOException, InterruptedException {
        run(folder, "Allgather");
        Path file = folder.resolve("allgather.json");
        Plan plan = PlanReader.read(file);
        assertEquals(
                List.of("simple_allgather_2gpus", "allgather"),
                List.of(plan.name(), plan.collective().label()));
        for (RankPlan rank : plan.ranks()) {
            assertEquals(
                    List.of("nop", "rlxsignal", "nop", "rlxwait", "nop", "put", "nop", "signal", "wait", "nop"),
                    rank.threadBlocks().getFirst().operations().stream()
                            .map(Operation::label)
                            .toList());
        }
        CommandLineRun run = CommandLineRun.of("run", file.toString(), "--size", "1M");
        assertEquals(0, run.code(), run.err());
    }

    /** The first program, in an application. */
    private static final String APPLICATION = """
            import org.mscclj.api.*;
            import org.mscclj.api.error.UnsupportedException;
            import org.mscclj.api.type.DataType;
            import org.mscclj.language.*;

            public class Application {
                public static void main(String[] args) {
                    AlgoSpec spec = AlgoSpec.builder("simple_allgather_2gpus", ProgramCollective.allGather(2, 1, true)).build();
                    try (var group = LocalGroup.open(2)) {
                        group.run(communicator -> {
                            communicator.plans().register(Allgather.allgather(spec));
                            try (var all = communicator.allocate(64); var other = communicator.allocate(32)) {
                                var inPlace = CollectiveCall.allGather(
                                        all.slice(32 * communicator.rank(), 32), all, DataType.FLOAT32);
                                var outOfPlace = CollectiveCall.allGather(other, all, DataType.FLOAT32);
                                try (var first = communicator.prepare(inPlace); var second = communicator.prepare(outOfPlace)) {
                                    System.out.println("chosen " + first.algorithm() + ", " + second.algorithm());
                                }
                                try {
                                    communicator.prepare(outOfPlace.algorithm("simple_allgather_2gpus"));
                                } catch (UnsupportedException e) {
                                    System.out.println("refused " + e.getMessage());
                                }
                            }
                        });
                    }
                }
            }
            """;

    @Test
    void aRegisteredProgramServesTheDocumentedCalls(@TempDir Path folder) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("Allgather.java"), block("java", "class Allgather "));
        List<String> lines = run(folder, "Application", APPLICATION).lines().toList();
        assertEquals(
                2,
                lines.stream()
                        .filter("chosen simple_allgather_2gpus, direct"::equals)
                        .count(),
                lines::toString);
        assertEquals(
                2,
                lines.stream()
                        .filter(line -> line.startsWith("refused ") && line.contains("it works in place"))
                        .count(),
                lines::toString);
    }

    @Test
    void theMulticastAllreduceIsCompiledProvedRunAndRight(@TempDir Path folder)
            throws IOException, InterruptedException {
        run(folder, "MulticastAllreduce");
        String file = folder.resolve("allreduce.json").toString();
        CommandLineRun proof = CommandLineRun.of("plan", "verify", "--strict", file);
        assertEquals(0, proof.code(), proof.out() + proof.err());
        CommandLineRun run = CommandLineRun.of("run", file, "--size", "1M");
        assertEquals(0, run.code(), run.err());
    }

    @Test
    void theRemarkAboutItsLastSignalIsRight(@TempDir Path folder) throws IOException, InterruptedException {
        String full = "peer.signal(0, SyncType.BEFORE)";
        String code = block("java", "class MulticastAllreduce ");
        assertTrue(code.contains(full), code);
        run(folder, "MulticastAllreduce", code.replace(full, "peer.relaxedSignal(0, SyncType.BEFORE)"));
        String file = folder.resolve("allreduce.json").toString();
        CommandLineRun proof = CommandLineRun.of("plan", "verify", file);
        assertEquals(0, proof.code(), proof.out() + proof.err());
        assertTrue(proof.out().contains("relies on engines to raise 8 relaxed signals to full ones"), proof.out());
        CommandLineRun strict = CommandLineRun.of("plan", "verify", "--strict", file);
        assertEquals(1, strict.code(), strict.out() + strict.err());
        assertTrue(strict.out().contains("race: nothing orders two accesses"), strict.out());
    }

    @Test
    void theExamplesOfTheDlpackPageWork(@TempDir Path folder) throws IOException, InterruptedException {
        String text = run(folder, "Tensors", block(List.of(DLPACK), "java", "class Tensors "));
        assertEquals(
                List.of("rank 0: 11.0, deleted: true", "rank 1: 11.0, deleted: true"),
                text.lines().filter(line -> line.startsWith("rank ")).sorted().toList(),
                text);
    }

    /** Runs a class of the README or the guide in a folder, as the reader does, and returns its output. */
    private static String run(Path folder, String name) throws IOException, InterruptedException {
        return run(folder, name, block("java", "class " + name + " "));
    }

    private static String run(Path folder, String name, String code) throws IOException, InterruptedException {
        Path source = Files.writeString(folder.resolve(name + ".java"), code);
        Path output = folder.resolve("output");
        String classPath =
                System.getProperty("jdk.module.path", "") + File.pathSeparator + System.getProperty("java.class.path");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JavaCommand.options());
        command.addAll(List.of(
                "--add-modules",
                "jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath,
                source.toString()));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(5, TimeUnit.MINUTES);
        process.destroyForcibly();
        String text = Files.readString(output);
        assertTrue(ended, text);
        assertEquals(0, process.exitValue(), text);
        return text;
    }

    @Test
    void theMainJobRuns() {
        String line = command(Page.readme(), "./mscclj");
        assertTrue(line.startsWith("./mscclj run examples/"), line);
        assertEquals(line, command(Page.of(CommandLineRun.ROOT.resolve("docs/guide/quick-start.md")), "./mscclj"));
        String[] args = line.substring("./mscclj ".length()).split(" ");
        args[1] = CommandLineRun.ROOT.resolve(args[1]).toString();
        CommandLineRun run = CommandLineRun.of(args);
        assertEquals(0, run.code(), run.err());
    }

    /** The first line that begins with a word, of the first block for a shell that contains it. */
    private static String command(Page page, String word) {
        return block(List.of(page), "sh", word)
                .lines()
                .filter(line -> line.startsWith(word))
                .findFirst()
                .orElseThrow();
    }

    /** The command of a checkout is not on the path: {@code mscclj} alone is not found. */
    @Test
    void commandsToCopyNameTheScript() {
        for (Page page : Page.all()) {
            assertEquals(
                    List.of(),
                    page.text()
                            .lines()
                            .filter(line -> line.strip().startsWith("mscclj "))
                            .toList(),
                    page::toString);
        }
    }

    /** Each program stands on one page only, so that this finds the only one. */
    private static String block(String language, String text) {
        return block(Page.guide(), language, text);
    }

    /** The first block of code of the pages, in a language, that contains some text. */
    private static String block(List<Page> pages, String language, String text) {
        return pages.stream()
                .flatMap(page -> page.blocks(language).stream())
                .filter(code -> code.contains(text))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no block of " + language + " on " + pages + " has " + text));
    }
}

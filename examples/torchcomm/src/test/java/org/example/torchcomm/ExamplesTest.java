package org.example.torchcomm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.mscclj.cli.Main;

/**
 * Each example runs on two ranks of the CPU backend: started by {@code mscclj launch}, and as two processes that know
 * no more than their ranks.
 */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExamplesTest {
    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();

    /** A program, and what both ranks of it print. */
    enum Example {
        BASIC(
                Basic.class,
                "rank 0 of 2: [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]",
                "rank 1 of 2: [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]"),
        SEND_RECEIVE(SendReceive.class, "rank 0 has 789", "rank 1 has 789"),
        GRAPH_REPLAY( // the CPU backend declares graphs
                GraphReplay.class,
                "rank 0 has 512.0 by 10 replays of a graph",
                "rank 1 has 512.0 by 10 replays of a graph"),
        CUSTOM_OPTIONS(
                CustomOptions.class,
                "with options: rank 0 has 3, and waits for 60 s at most",
                "with options: rank 1 has 3, and waits for 60 s at most"),
        GROW(Grow.class, "rank 0 of 1 has 1", "rank 0 of 2 has 2", "rank 1 of 2 has 2"),
        ONE_SIDED(OneSided.class, "rank 0 was given 101", "rank 1 was given 100");

        private final Class<?> main;
        private final List<String> lines;

        Example(Class<?> main, String... lines) {
            this.main = main;
            this.lines = List.of(lines);
        }
    }

    private List<String> java(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    private List<String> example(Example example) {
        return java(example.main, folder.resolve("store").toString(), "once");
    }

    private Path start(List<String> command, Map<String, String> environment) throws IOException {
        Path output = Files.createTempFile(folder, "output", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        started.add(builder.start());
        return output;
    }

    private void requireLines(Example example, List<Path> outputs) throws Exception {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < outputs.size(); i++) {
            int code = started.get(i).waitFor();
            String text = Files.readString(outputs.get(i), StandardCharsets.UTF_8);
            assertEquals(0, code, text);
            all.append(text);
        }
        List<String> lines = all.toString().lines().toList();
        assertTrue(lines.containsAll(example.lines), all::toString);
    }

    @AfterEach
    void killWhatIsLeft() {
        started.forEach(Process::destroyForcibly);
    }

    @ParameterizedTest
    @EnumSource
    void startedByTheLauncher(Example example) throws Exception {
        List<String> command = new ArrayList<>(java(Main.class, "launch", "--ranks", "2", "--"));
        command.addAll(example(example));
        requireLines(example, List.of(start(command, Map.of())));
    }

    @ParameterizedTest
    @EnumSource
    void startedByHand(Example example) throws Exception {
        String job = "example-" + UUID.randomUUID();
        List<Path> outputs = new ArrayList<>();
        for (String rank : List.of("0", "1")) {
            outputs.add(start(
                    example(example), Map.of("MSCCLJ_RANK", rank, "MSCCLJ_WORLD_SIZE", "2", "MSCCLJ_JOB", job)));
        }
        requireLines(example, outputs);
    }

    @ParameterizedTest
    @CsvSource({
        "org.example.torchcomm.CustomOptions, usage: CustomOptions FOLDER",
        "org.example.torchcomm.Grow, usage: Grow FOLDER NAME"
    })
    void withoutArgumentsTheUsageIsTold(Class<?> main, String usage) throws Exception {
        Path output = start(java(main), Map.of("MSCCLJ_RANK", "0", "MSCCLJ_WORLD_SIZE", "1"));
        assertEquals(2, started.getFirst().waitFor());
        assertEquals(List.of(usage), Files.readString(output, StandardCharsets.UTF_8).lines().toList());
    }

    @Test
    void aRankAloneSignalsNobody() throws Exception {
        Path output = start(
                java(OneSided.class),
                Map.of(
                        "MSCCLJ_RANK",
                        "0",
                        "MSCCLJ_WORLD_SIZE",
                        "1",
                        "MSCCLJ_JOB",
                        "example-" + UUID.randomUUID()));
        assertEquals(0, started.getFirst().waitFor());
        assertTrue(Files.readString(output, StandardCharsets.UTF_8).contains("rank 0 was given 100"));
    }
}

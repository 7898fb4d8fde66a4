package org.mscclj.cli.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.cli.CommandLineRun;

/**
 * An application that knows mscclj-api alone runs on the class path and on the module path, where runtime and backend
 * are found as services; without them the exception names what to add.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ApplicationPathsTest {
    private static final String MODULE = """
            module application {
                requires org.mscclj.api;
            }
            """;

    private static final String SOURCE = """
            package application;

            import java.lang.foreign.ValueLayout;
            import java.nio.file.Path;
            import java.time.Duration;
            import org.mscclj.api.LocalGroup;
            import org.mscclj.api.plan.ExecutionPlan;
            import org.mscclj.api.plan.PlanCall;
            import org.mscclj.api.type.DataType;

            public class Main {
                public static void main(String[] args) {
                    ExecutionPlan plan = ExecutionPlan.load(Path.of(args[0]));
                    try (LocalGroup group = LocalGroup.open(plan.worldSize())) {
                        group.run(communicator -> {
                            try (var buffer = communicator.allocate(4096);
                                    var operation = communicator.prepare(
                                            PlanCall.of(plan, buffer, buffer, DataType.INT32))) {
                                buffer.segment().setAtIndex(ValueLayout.JAVA_INT, 1023, 1 + communicator.rank());
                                operation.run(Duration.ofSeconds(30));
                                System.out.println("sum " + buffer.segment().getAtIndex(ValueLayout.JAVA_INT, 1023));
                            }
                        });
                    }
                }
            }
            """;

    private static final String PLAN = CommandLineRun.example("allreduce_packets_2ranks");

    @TempDir
    private Path folder;

    @Test
    void runsOnTheClassPath() throws IOException {
        Path classes = folder.resolve("classes");
        JavaTool.run("javac", "-d", classes.toString(), "-cp", JavaTool.api(), source().toString());
        String output = JavaTool.run(
                "java",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classes + File.pathSeparator + JavaTool.everything(),
                "application.Main",
                PLAN);
        assertSums(output);
    }

    @Test
    void runsOnTheModulePath() throws IOException {
        Path classes = compileModule();
        String output = JavaTool.run(
                "java",
                "--enable-native-access=org.mscclj.posix",
                "-p",
                classes + File.pathSeparator + JavaTool.allModules(),
                "-m",
                "application/application.Main",
                PLAN);
        assertSums(output);
    }

    @Test
    void aMissingRuntimeIsReported() throws IOException {
        Path classes = compileModule();
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-p",
                classes + File.pathSeparator + JavaTool.api(),
                "-m",
                "application/application.Main",
                PLAN);
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        assertEquals(1, process.onExit().join().exitValue(), output);
        assertTrue(output.contains("add org.mscclj:mscclj-runtime"), output);
    }

    private Path compileModule() throws IOException {
        Path classes = folder.resolve("classes");
        Path descriptor = Files.writeString(folder.resolve("module-info.java"), MODULE);
        JavaTool.run(
                "javac", "-d", classes.toString(), "-p", JavaTool.api(), descriptor.toString(), source().toString());
        return classes;
    }

    private Path source() throws IOException {
        return Files.writeString(folder.resolve("Main.java"), SOURCE);
    }

    private static void assertSums(String output) {
        List<String> sums = Arrays.stream(output.split("\\R"))
                .filter(line -> line.startsWith("sum "))
                .collect(Collectors.toList());
        assertEquals(List.of("sum 3", "sum 3"), sums, output);
    }
}

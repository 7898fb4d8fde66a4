package org.mscclj.backend.rocm;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Other processes of tests: the C compiler, programs, and VMs. */
public final class CommandLine {
    private CommandLine() {}

    /** Runs a command, and returns what it has written; fails if the command does. */
    public static String run(List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(String.join(" ", command) + " failed:\n" + output);
        }
        return output;
    }

    /** Skips the test if there is no such compiler. */
    public static void requireCompiler(String compiler) throws InterruptedException {
        try {
            new ProcessBuilder(compiler, "--version")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException _) {
            assumeTrue(false, "there is no compiler " + compiler + " on PATH");
        }
    }

    /** Runs the C compiler. Skips the test if there is none. */
    public static void compile(String... arguments) throws IOException, InterruptedException {
        requireCompiler("cc");
        List<String> command = new ArrayList<>(List.of("cc"));
        command.addAll(List.of(arguments));
        run(command, Map.of());
    }

    /** Runs a class of the tests in a VM of its own, and returns the last line that it has written. */
    public static String vm(Class<?> main, Map<String, String> environment, String... options)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                String.join(
                        File.pathSeparator,
                        Path.of("target/classes").toAbsolutePath().toString(),
                        Path.of("target/test-classes").toAbsolutePath().toString(),
                        System.getProperty("java.class.path", ""))));
        command.addAll(List.of(options));
        command.add(main.getName());
        return run(command, environment).lines().reduce("", (_, line) -> line);
    }
}

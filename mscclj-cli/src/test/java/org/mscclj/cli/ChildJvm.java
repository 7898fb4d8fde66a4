package org.mscclj.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The command in a JVM of its own, on the class path: with its own standard input, shutdown hooks and exit code. */
final class ChildJvm {
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private ChildJvm() {}

    /** Returns the command line. */
    static List<String> command(String... args) {
        return JavaCommand.of(Main.class, List.of(), args);
    }

    /** Starts it. */
    static Process start(String... args) throws IOException {
        return new ProcessBuilder(command(args)).redirectErrorStream(true).start();
    }

    /** Runs the command to its end; the VM's own warnings are removed. */
    static CommandLineRun run(Path folder, String... args) throws IOException, InterruptedException {
        return run(folder, Map.of(), LIMIT, args);
    }

    /** Runs the command with additional environment variables. */
    static CommandLineRun run(Path folder, Map<String, String> variables, String... args)
            throws IOException, InterruptedException {
        return run(folder, variables, LIMIT, args);
    }

    /** Runs a command with a longer time limit. */
    static CommandLineRun run(Path folder, Map<String, String> variables, Duration limit, String... args)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "out", ".txt");
        Path err = Files.createTempFile(folder, "err", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command(args)).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().putAll(variables);
        Process process = builder.start();
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("did not end: " + String.join(" ", args) + "\n" + Files.readString(out)
                        + Files.readString(err));
            }
            return new CommandLineRun(
                    process.exitValue(),
                    withoutWarnings(Files.readString(out)),
                    withoutWarnings(Files.readString(err)));
        } finally {
            process.destroyForcibly();
        }
    }

    private static String withoutWarnings(String text) {
        return text.replaceAll("(?m)^(\\[\\d+] )?WARNING: Using incubator modules.*\\R", "");
    }
}

package org.mscclj.cli.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.cli.architecture.ProjectModules;

/** The examples compile against mscclj-api alone, and run with the whole project on the class path. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExamplesTest {
    private static final Path EXAMPLES = Path.of("..", "examples");

    @TempDir
    private Path classes;

    @Test
    void channelsMadeByHand() throws IOException {
        String output = run(EXAMPLES.resolve("hand-made-channels").resolve("HandMadeChannels.java"));
        assertTrue(output.contains("is reached over transport host"), output);
        assertTrue(output.contains("all data arrived"), output);
    }

    private String run(Path source) throws IOException {
        String name = source.getFileName().toString().replace(".java", "");
        execute("javac", "-d", classes.toString(), "-cp", api().toString(), source.toString());
        return execute(
                "java",
                "--add-modules=jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classes + File.pathSeparator + everything(),
                name);
    }

    private static Path api() {
        return ProjectModules.all().stream()
                .filter(module -> module.name().equals("org.mscclj.api"))
                .findFirst()
                .orElseThrow()
                .location();
    }

    private static String everything() {
        return System.getProperty("jdk.module.path", "")
                + File.pathSeparator
                + System.getProperty("java.class.path", "");
    }

    private static String execute(String tool, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", tool).toString());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, process.onExit().join().exitValue(), output);
            return output;
        } finally {
            process.destroyForcibly();
        }
    }
}

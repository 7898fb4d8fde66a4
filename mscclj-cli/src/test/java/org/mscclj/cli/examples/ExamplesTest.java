package org.mscclj.cli.examples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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

    @Test
    void channelsInKernelsOfYourOwn() throws IOException {
        String document = Files.readString(Path.of("..", "docs", "device-channels.md"));
        int start = document.indexOf("```java\n") + "```java\n".length();
        Path source = Files.writeString(
                classes.resolve("Neighbours.java"), document.substring(start, document.indexOf("```", start)));
        JavaTool.run("javac", "-d", classes.toString(), "-cp", JavaTool.api(), source.toString());
    }

    private String run(Path source) throws IOException {
        String name = source.getFileName().toString().replace(".java", "");
        JavaTool.run("javac", "-d", classes.toString(), "-cp", JavaTool.api(), source.toString());
        return JavaTool.run(
                "java",
                "--add-modules=jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classes + File.pathSeparator + JavaTool.everything(),
                name);
    }
}

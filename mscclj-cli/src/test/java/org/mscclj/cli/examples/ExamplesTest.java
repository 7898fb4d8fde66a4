package org.mscclj.cli.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The examples compile against mscclj-api, but for tensors and the language, and run with the whole project on the
 * class path.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExamplesTest {
    private static final Path EXAMPLES = Path.of("..", "examples");

    @TempDir
    private Path classes;

    @Test
    void hostChannels() throws IOException {
        String output = run(EXAMPLES.resolve("hand-made-channels").resolve("HandMadeChannels.java"), JavaTool.api());
        assertTrue(output.contains("is reached over transport host"), output);
        assertTrue(output.contains("all data arrived"), output);
    }

    @Test
    void tensorsOfPython() throws IOException {
        assumeUsablePython();
        String output = run(
                EXAMPLES.resolve("python-tensors").resolve("PythonTensors.java"),
                JavaTool.api() + File.pathSeparator + JavaTool.classesOf("org.mscclj.dlpack"));
        assertTrue(output.contains("all tensors were right, and are deleted"), output);
    }

    @Test
    void tuningInAnApplication() throws IOException {
        Path source = EXAMPLES.resolve("tuning").resolve("TunedAllReduce.java");
        Path file = classes.resolve("tuned.json");
        String output = run(source, JavaTool.api(), "host", "2", file.toString());
        assertTrue(output.contains("tuning: all sums are right, by the algorithms of the file"), output);
        assertTrue(output.contains("65536 bytes: shipped program "), output);
        assertTrue(Files.readString(file).contains("\"comment\": \"by TunedAllReduce\""), output);
    }

    @Test
    void defaultAlgorithms() throws IOException {
        Path source = EXAMPLES.resolve("default-algorithms").resolve("DefaultAlgorithms.java");
        String output = run(source, JavaTool.api(), "host", "4");
        assertTrue(output.contains("default algorithms: all results are right"), output);
        assertTrue(output.contains("default_allreduce_rsag_pipeline: mscclj does not have this algorithm"), output);
        assertTrue(output.contains("registered: allreduce algorithm default_allreduce_rsag_zero_copy"), output);
    }

    @Test
    void anAllreduceInTheLanguage() throws IOException {
        Path source = EXAMPLES.resolve("language").resolve("LanguageAllReduce.java");
        String output = run(source, withLanguage(), "host", "3");
        assertTrue(output.contains("language: all sums are right"), output);
        assertTrue(output.contains("32768 bytes by allreduce_nvls"), output);
    }

    @ParameterizedTest(name = "{0} ranks")
    @ValueSource(ints = {3, 4})
    void aCommunicatorOfTheApplication(int ranks) throws IOException {
        Path source = EXAMPLES.resolve("custom-communicator").resolve("CustomCommunicatorExample.java");
        String output = run(source, withLanguage(), "host", Integer.toString(ranks));
        assertTrue(output.contains("custom communicator: all results are right"), output);
        String large = ranks == 4 ? "own_allreduce_4" : "default_allreduce_fullmesh"; // there is no plan for 3 ranks
        assertTrue(output.contains("allreduce by max of 65536 bytes: " + large), output);
    }

    private static String withLanguage() {
        return String.join(
                File.pathSeparator,
                JavaTool.api(),
                JavaTool.classesOf("org.mscclj.plan"),
                JavaTool.classesOf("org.mscclj.language"));
    }

    /** The page of results has the rows that the example prints. */
    @Test
    void twoLevelsBesideARingAndATree() throws IOException {
        Path source = EXAMPLES.resolve("two-level").resolve("CompareAllReduce.java");
        String needs = withLanguage() + File.pathSeparator + JavaTool.classesOf("org.mscclj.analysis");
        String output = run(source, needs, "2,4", "8K,1M");
        assertTrue(output.contains("rings and trees are proved on 2, 3 and 5 nodes of 2"), output);
        List<String> rows = output.lines().filter(line -> line.startsWith("| ")).toList();
        assertEquals(5, rows.size(), output);
        List<String> page = Files.readAllLines(Path.of("..", "docs", "results", "two-level.md"));
        assertTrue(page.containsAll(rows), output);
    }

    @Test
    void channelsInUsersKernels() throws IOException {
        String document = Files.readString(Path.of("..", "docs", "device-channels.md"));
        int start = document.indexOf("```java\n") + "```java\n".length();
        Path source = Files.writeString(
                classes.resolve("Neighbours.java"), document.substring(start, document.indexOf("```", start)));
        JavaTool.run("javac", "-d", classes.toString(), "-cp", JavaTool.api(), source.toString());
    }

    /** The emulation test runs them. */
    @Test
    void nativeAlgorithms() throws IOException {
        Path folder = EXAMPLES.resolve("native-algorithms");
        for (String program : List.of("NativeAllGather", "NativeAllToAll", "Overlap", "Fused")) {
            JavaTool.run(
                    "javac",
                    "-Xlint:all",
                    "-Werror",
                    "-d",
                    classes.toString(),
                    "-cp",
                    JavaTool.api(),
                    "-sourcepath",
                    folder.toString(),
                    folder.resolve(program + ".java").toString());
        }
    }

    /** Its library, which not every Python has, and a NumPy that knows DLPack 1. */
    private static void assumeUsablePython() throws IOException {
        String check = """
                import os, sysconfig, numpy
                numpy.zeros(1).__dlpack__(max_version=(1, 0))
                library = os.path.join(sysconfig.get_config_var('LIBDIR'), sysconfig.get_config_var('INSTSONAME'))
                assert os.path.exists(library), library
                """;
        Process process;
        try {
            process = new ProcessBuilder("python3", "-c", check)
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            abort("there is no python3: " + e.getMessage());
            return;
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assumeTrue(process.onExit().join().exitValue() == 0, "this python3 has no library, or no NumPy 2.1: " + output);
    }

    private String run(Path source, String needs, String... arguments) throws IOException {
        String name = source.getFileName().toString().replace(".java", "");
        JavaTool.run(
                "javac",
                "-d",
                classes.toString(),
                "-cp",
                needs,
                "-sourcepath",
                source.getParent().toString(),
                source.toString());
        List<String> command = new ArrayList<>(List.of(
                "--add-modules=jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classes + File.pathSeparator + JavaTool.everything(),
                name));
        command.addAll(List.of(arguments));
        return JavaTool.run("java", command.toArray(String[]::new));
    }
}

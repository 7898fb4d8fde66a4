package org.mscclj.cli.info;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mscclj.cli.CommandLineRun;
import org.mscclj.runtime.environment.EnvironmentVariables;

/**
 * {@code docs/environment.md} has each environment variable that the sources name, and no other; so has what
 * {@code mscclj info} lists. A new variable is a new row there, and a new name in {@link EnvironmentVariables}.
 */
class EnvironmentTableTest {
    private static final Path TABLE = CommandLineRun.ROOT.resolve("docs/environment.md");

    /**
     * Variables of this project, and of other software with such names. The families of launchers are described as a
     * whole.
     */
    private static final Pattern IN_JAVA =
            Pattern.compile("\"((?:MSCCLJ|MSCCLPP|TORCHCOMM|TORCHELASTIC|XDG)_[A-Z0-9_]*[A-Z0-9]"
                    + "|NCCL_HOSTID|NCCL_NVLS_ENABLE|NCCL_RUNTIME_CONNECT"
                    + "|CUDA_DEVICE_MAX_CONNECTIONS|CUDA_MODULE_LOADING|GPU_MAX_HW_QUEUES|(?:LOCAL_)?(?:RANK|WORLD_SIZE)|MASTER_ADDR"
                    + "|MASTER_PORT|CLASSPATH)\"");

    private static final Pattern IN_SCRIPTS = Pattern.compile("\\$\\{?(MSCCLJ_[A-Z0-9_]+|JAVA_HOME|CLASSPATH)");
    private static final Pattern IN_TABLE = Pattern.compile("`([A-Z0-9_]+)`");

    @Test
    void theTableHasWhatTheSourcesRead() throws IOException {
        Set<String> read = new TreeSet<>(names(javaSources(), IN_JAVA));
        read.addAll(names(scripts(), IN_SCRIPTS));
        assertTrue(read.contains("MSCCLJ_SECRET") && read.contains("MSCCLJ_JAVA_OPTS"), read::toString);
        assertEquals(String.join("\n", read), String.join("\n", new TreeSet<>(table())));
    }

    @Test
    void infoListsWhatTheTableHas() throws IOException {
        assertEquals(table(), EnvironmentVariables.KNOWN);
        assertEquals(table().size(), new HashSet<>(table()).size(), "a variable has two rows");
    }

    /** The names in the first column. */
    private static List<String> table() throws IOException {
        return Files.readAllLines(TABLE).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("\\|")[1])
                .flatMap(cell -> IN_TABLE.matcher(cell).results())
                .map(match -> match.group(1))
                .toList();
    }

    private static Stream<Path> javaSources() throws IOException {
        try (Stream<Path> modules = Files.list(CommandLineRun.ROOT)) {
            return modules
                    .flatMap(module ->
                            Stream.of("src/main/java", "src/main/native").map(module::resolve))
                    .filter(Files::isDirectory)
                    .filter(module -> !module.startsWith(CommandLineRun.ROOT.resolve("benchmarks")))
                    .flatMap(EnvironmentTableTest::files)
                    .filter(file -> !file.endsWith("EnvironmentVariables.java"))
                    .toList()
                    .stream();
        }
    }

    private static Stream<Path> scripts() {
        return Stream.concat(
                Stream.of(CommandLineRun.ROOT.resolve("mscclj")),
                Stream.of("config/build", "config/dist/bin", "config/dist/lib")
                        .flatMap(folder -> files(CommandLineRun.ROOT.resolve(folder))));
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> names(Stream<Path> files, Pattern pattern) {
        return files.flatMap(file -> pattern.matcher(text(file)).results().map(match -> match.group(1)))
                .collect(Collectors.toSet());
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

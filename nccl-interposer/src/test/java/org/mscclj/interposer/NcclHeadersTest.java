package org.mscclj.interposer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The library against {@code nccl.h}, which this project does not have: {@code -Dmscclj.nccl.headers=FOLDER}, with a
 * folder in it for each version.
 */
@EnabledIfSystemProperty(
        named = "mscclj.nccl.headers",
        matches = ".+",
        disabledReason = "needs NCCL's headers: -Dmscclj.nccl.headers=FOLDER, with FOLDER/VERSION/nccl.h")
class NcclHeadersTest {
    private static final Pattern VERSION = Pattern.compile("#define NCCL_VERSION_CODE (\\d+)");

    /** A function, behind its type at the begin of a line. */
    private static final Pattern FUNCTION = Pattern.compile("(?m)^[a-z].*\\b(nccl[A-Z]\\w*)\\s*\\(");

    /** The first version with all functions that the programs of the tests call. */
    private static final int COMPLETE = 22803;

    @TempDir
    private Path folder;

    private static List<Path> headers() throws IOException {
        try (Stream<Path> versions = Files.list(Path.of(System.getProperty("mscclj.nccl.headers")))) {
            List<Path> headers = versions.map(version -> version.resolve("nccl.h"))
                    .filter(Files::exists)
                    .sorted()
                    .toList();
            assertTrue(!headers.isEmpty(), "no folder of mscclj.nccl.headers has a file nccl.h");
            return headers;
        }
    }

    private static int version(Path header) throws IOException {
        Matcher version = VERSION.matcher(Files.readString(header));
        assertTrue(version.find(), () -> header + " has no NCCL_VERSION_CODE");
        return Integer.parseInt(version.group(1));
    }

    private static void compile(Path header, String... more) throws IOException, InterruptedException {
        assumeTrue(InterposedProgram.isOnPath("cc"), "there is no cc on PATH");
        List<String> command = new ArrayList<>(List.of("cc", "-std=gnu11", "-D_GNU_SOURCE", "-Wall", "-Wextra"));
        command.addAll(List.of("-Werror", "-Wno-unused-parameter", "-I", "src/test/abi/include"));
        command.addAll(List.of("-I", header.getParent().toString()));
        command.addAll(List.of(more));
        InterposedProgram.run(command.toArray(String[]::new)); // the compiler names the header
    }

    /** Numbers of codes, types and reductions, structures, and what the initializer of a configuration writes. */
    @Test
    void numbersAndPlacesAreThoseOfEachVersion() throws IOException, InterruptedException {
        Path program = folder.resolve("abi");
        for (Path header : headers()) {
            compile(header, "-I", "src/main/native", "src/test/abi/abi.c", "-o", program.toString());
            int code = new ProcessBuilder(program.toString()).start().waitFor();
            assertEquals(0, code, () -> header + ": the initializer of the configuration writes other numbers");
        }
    }

    @Test
    void programsCompileWithTheHeader() throws IOException, InterruptedException {
        List<String> sources = new ArrayList<>(List.of("-DWITH_NCCL_H", "-fsyntax-only"));
        try (Stream<Path> files = Files.list(Path.of("src/test/c"))) {
            files.map(Path::toString).filter(name -> name.endsWith(".c")).forEach(sources::add);
        }
        for (Path header : headers()) {
            if (version(header) >= COMPLETE) {
                compile(header, sources.toArray(String[]::new));
            }
        }
    }

    @Test
    void everyFunctionOfEachVersionHasAName() throws IOException {
        Set<String> names = Files.readAllLines(Path.of("src/main/native/names.tsv")).stream()
                .map(line -> line.split("\t", 2)[0])
                .collect(Collectors.toSet());
        for (Path header : headers()) {
            Set<String> missing = new TreeSet<>(FUNCTION.matcher(Files.readString(header))
                    .results()
                    .map(found -> found.group(1))
                    .toList());
            assertTrue(missing.size() > 20, () -> header + " declares " + missing);
            missing.removeAll(names);
            assertEquals(Set.of(), missing, header::toString);
        }
    }
}

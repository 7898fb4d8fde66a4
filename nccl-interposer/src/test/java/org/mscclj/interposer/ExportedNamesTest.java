package org.mscclj.interposer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The library exports the names of the table and their twins, and beside them only the mark of a library that stands
 * in.
 */
class ExportedNamesTest {
    private static final int NAMES = 82;

    @Test
    void namesOfTheTableAndNothingElse() throws IOException, InterruptedException {
        InterposedProgram.require();
        Set<String> expected = new TreeSet<>(Set.of("mscclj_stands_in_for_nccl"));
        for (String line : Files.readAllLines(Path.of("src/main/native/names.tsv"))) {
            String name = line.split("\t", 2)[0];
            expected.add(name);
            expected.add("p" + name);
        }
        assertEquals(2 * NAMES + 1, expected.size());
        Process process = new ProcessBuilder(
                        "nm",
                        "--dynamic",
                        "--defined-only",
                        InterposedProgram.library().toString())
                .redirectErrorStream(true)
                .start();
        Set<String> exported = new TreeSet<>();
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .forEach(exported::add);
        assertEquals(0, process.waitFor());
        assertEquals(expected, exported);
    }
}

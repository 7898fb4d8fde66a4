package org.mscclj.interposer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The library exports the names of the table and their twins, and beside them only the mark of a library that stands
 * in.
 */
class ExportedNamesTest {
    private static final int OF_NCCL = 82;
    private static final int OF_RCCL = 7;

    private static final Path TABLE = Path.of("src/main/native/names.tsv");
    private static final Path MORE = Path.of("src/main/native/rccl/names.tsv");

    @Test
    void namesOfTheTableAndNothingElse() throws IOException, InterruptedException {
        InterposedProgram.require();
        Set<String> expected = names(TABLE);
        assertEquals(2 * OF_NCCL + 1, expected.size());
        assertEquals(expected, exported(InterposedProgram.library("libnccl.so.2")));
    }

    @Test
    void rcclHasMore() throws IOException, InterruptedException {
        InterposedProgram.require();
        Set<String> expected = names(TABLE);
        expected.addAll(names(MORE));
        assertEquals(2 * (OF_NCCL + OF_RCCL) + 1, expected.size());
        assertEquals(expected, exported(InterposedProgram.library("librccl.so.1")));
    }

    private static Set<String> names(Path table) throws IOException {
        Set<String> names = new TreeSet<>(Set.of("mscclj_stands_in_for_nccl"));
        for (String line : Files.readAllLines(table)) {
            String name = line.split("\t", 2)[0];
            names.add(name);
            names.add("p" + name);
        }
        return names;
    }

    private static Set<String> exported(Path library) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("nm", "--dynamic", "--defined-only", library.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output.lines()
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}

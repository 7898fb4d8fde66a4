package org.mscclj.backend.cuda.compile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.backend.cuda.cache.CacheDirectory;

/** Where compiled code is looked for. */
class KernelFilesTest {
    private static final byte[] CODE = {1, 2, 3};
    private static final byte[] OTHER = {4, 5};

    @TempDir
    Path folder;

    private KernelFiles files;
    private Path shipped;

    /** Kernels that another machine has compiled and kept. */
    @BeforeEach
    void ship() throws IOException {
        new KernelFiles(CacheDirectory.of(folder.resolve("elsewhere")), Optional.empty()).write("there", CODE);
        shipped = folder.resolve("elsewhere/kernels");
        files = new KernelFiles(CacheDirectory.of(folder.resolve("own")), Optional.of(shipped));
    }

    @Test
    void whatWasShippedIsFound() {
        assertArrayEquals(CODE, files.read("there").orElseThrow());
        assertEquals(Optional.empty(), files.read("not-there"));
    }

    @Test
    void whatWasCompiledHereComesFirst() throws IOException {
        files.write("there", OTHER);
        assertArrayEquals(OTHER, files.read("there").orElseThrow());
    }

    @Test
    void whatIsShippedIsNeverWritten() throws IOException {
        files.write("new", CODE);
        try (Stream<Path> names = Files.list(shipped)) {
            assertEquals(
                    List.of("there.cubin"),
                    names.map(name -> name.getFileName().toString()).toList());
        }
    }

    @Test
    void damagedFilesCountAsMissing() throws IOException {
        Path file = shipped.resolve("there.cubin");
        byte[] damaged = Files.readAllBytes(file);
        damaged[damaged.length - 1] ^= 1;
        Files.write(file, damaged);
        assertEquals(Optional.empty(), files.read("there"));
        Files.write(file, new byte[3]);
        assertEquals(Optional.empty(), files.read("there"));
    }

    @Test
    void aShippedFolderNeedNotBeThere() {
        KernelFiles without = new KernelFiles(CacheDirectory.of(folder), Optional.of(folder.resolve("nowhere")));
        assertEquals(Optional.empty(), without.read("there"));
    }
}

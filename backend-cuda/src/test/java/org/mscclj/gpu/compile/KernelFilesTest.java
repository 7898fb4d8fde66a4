package org.mscclj.gpu.compile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.gpu.cache.CacheDirectory;

/** Where compiled code is looked for. */
class KernelFilesTest {
    private static final String COMPILER = "NVRTC 13.0";
    private static final String DRIVER = "13.0";
    private static final KernelKey THERE = key("there", "sm_90");
    private static final byte[] CODE = {1, 2, 3};
    private static final byte[] OTHER = {4, 5};

    @TempDir
    Path folder;

    private KernelFiles files;
    private Path shipped;

    /** Kernels that another machine has compiled and kept. */
    @BeforeEach
    void ship() throws IOException {
        new KernelFiles(CacheDirectory.of(folder.resolve("elsewhere")), Optional.empty()).write(THERE, COMPILER, CODE);
        shipped = folder.resolve("elsewhere/kernels");
        files = filesWith(shipped, DRIVER);
    }

    private static KernelKey key(String source, String architecture) {
        return new KernelKey(source, options(architecture));
    }

    private static List<String> options(String architecture) {
        return List.of("--gpu-architecture=" + architecture);
    }

    private KernelFiles filesWith(Path kernels, String driver) {
        return new KernelFiles(
                CacheDirectory.of(folder.resolve("own")), Optional.of(new ShippedKernels(kernels, driver)));
    }

    private static List<String> names(Path of) throws IOException {
        try (Stream<Path> names = Files.list(of)) {
            return names.map(name -> name.getFileName().toString()).toList();
        }
    }

    @Test
    void whatWasShippedIsFound() {
        assertArrayEquals(CODE, files.read(THERE, COMPILER).orElseThrow());
        for (KernelKey other : List.of(key("not there", "sm_90"), key("there", "sm_100"))) {
            assertEquals(Optional.empty(), files.read(other, COMPILER));
        }
    }

    @Test
    void whatAnotherCompilerHasKeptIsCompiledAgain() {
        assertEquals(Optional.empty(), files.read(THERE, "NVRTC 12.9"));
    }

    @Test
    void whatWasCompiledHereComesFirst() throws IOException {
        files.write(THERE, COMPILER, OTHER);
        assertArrayEquals(OTHER, files.read(THERE, COMPILER).orElseThrow());
    }

    @Test
    void whatIsShippedIsNeverWritten() throws IOException {
        files.write(key("new", "sm_90"), COMPILER, CODE);
        assertEquals(List.of(THERE.nameBy(COMPILER) + ".cubin"), names(shipped));
    }

    @Test
    void damagedFilesCountAsMissing() throws IOException {
        Path file = shipped.resolve(THERE.nameBy(COMPILER) + ".cubin");
        byte[] damaged = Files.readAllBytes(file);
        damaged[damaged.length - 1] ^= 1;
        Files.write(file, damaged);
        assertEquals(Optional.empty(), files.read(THERE, COMPILER));
        Files.write(file, new byte[3]);
        assertEquals(Optional.empty(), files.read(THERE, COMPILER));
    }

    @Test
    void aShippedFolderNeedNotBeThere() {
        assertEquals(
                Optional.empty(), filesWith(folder.resolve("nowhere"), DRIVER).read(THERE, COMPILER));
    }

    private Path ahead(String toolkit) throws IOException {
        Path ahead = folder.resolve("ahead");
        ShippedKernels.begin(ahead, toolkit);
        ShippedKernels.add(ahead, "there", options("sm_90"), OTHER);
        return ahead;
    }

    @Test
    void aFolderIsOfOneToolkit() throws IOException {
        Path ahead = ahead("12.9");
        ShippedKernels.begin(ahead, "12.9");
        IOException e = assertThrows(IOException.class, () -> ShippedKernels.begin(ahead, "13.0"));
        assertTrue(e.getMessage().contains("12.9, and these are of 13.0"), e::getMessage);
    }

    @Test
    void whatAToolkitHasCompiledIsForAllDriversThatAreNotOlder() throws IOException {
        Path ahead = ahead("12.9");
        for (String compiler : List.of(COMPILER, "NVRTC 12.2")) {
            for (String driver : new String[] {"12.9", DRIVER}) {
                assertArrayEquals(
                        OTHER, filesWith(ahead, driver).read(THERE, compiler).orElseThrow());
            }
        }
        assertEquals(Optional.empty(), filesWith(ahead, "12.8").read(THERE, COMPILER));
    }

    @Test
    void aFolderThatDoesNotSayWhichToolkitIsForNoDriver() throws IOException {
        Path ahead = ahead("12.9");
        Path toolkit = ahead.resolve("toolkit");
        Files.writeString(toolkit, "twelve");
        assertEquals(Optional.empty(), filesWith(ahead, DRIVER).read(THERE, COMPILER));
        Files.delete(toolkit);
        assertEquals(Optional.empty(), filesWith(ahead, DRIVER).read(THERE, COMPILER));
    }
}

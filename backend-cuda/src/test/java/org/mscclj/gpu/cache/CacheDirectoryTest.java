package org.mscclj.gpu.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is loaded from the cache cannot be exchanged by another user. */
class CacheDirectoryTest {
    private static final byte[] LIBRARY = {1, 2, 3};

    @TempDir
    Path temporary;

    @Test
    void aLibraryIsLoadedFromAFolderThatNobodyElseCanWriteTo() throws IOException {
        Path open = Files.createDirectory(temporary.resolve("open"));
        CacheDirectory cache = CacheDirectory.of(open);
        Path before = cache.publish("native", "lib.so", LIBRARY);
        assertEquals(Optional.of(before), cache.published("native", "lib.so", LIBRARY));

        Files.setAttribute(open, "unix:mode", 01777);
        assertEquals(Optional.empty(), cache.published("native", "lib.so", LIBRARY));
        Path instead = cache.publish("native", "lib.so", LIBRARY);
        assertFalse(instead.startsWith(open), instead::toString);
        assertArrayEquals(LIBRARY, Files.readAllBytes(instead.resolve("lib.so")));
        assertEquals(Optional.of(instead), cache.published("native", "lib.so", LIBRARY));
    }

    @Test
    void aKernelIsNotReadFromAFileThatOthersCanWrite() throws IOException {
        CacheDirectory cache = CacheDirectory.of(temporary.resolve("cache"));
        cache.write("kernels", "one.cubin", LIBRARY);
        assertArrayEquals(LIBRARY, cache.read("kernels", "one.cubin").orElseThrow());
        Files.setAttribute(temporary.resolve("cache/kernels/one.cubin"), "unix:mode", 0666);
        assertEquals(Optional.empty(), cache.read("kernels", "one.cubin"));
    }
}

package org.mscclj.plan.folder;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.api.error.InvalidArgumentException;

class UserCacheTest {
    private static final Path HOME = Path.of("home");
    private static final List<String> IN_HOME = List.of(".cache", "mscclj");
    private static final Path FILE = Path.of("kind", "file");
    private static final byte[] CONTENT = {1, 2, 3};

    @TempDir
    Path temporary;

    @Test
    void firstVariableThatIsSetNamesTheFolder() {
        assertEquals(HOME.resolve(".cache/mscclj"), UserCache.directory(Map.of(), HOME, IN_HOME));
        Map<String, String> blank = Map.of("MSCCLJ_CACHE_DIR", " ", "MSCCLPP_CACHE_DIR", "");
        assertEquals(HOME.resolve(".cache/mscclj"), UserCache.directory(blank, HOME, IN_HOME));
        Map<String, String> theirs = Map.of("MSCCLPP_CACHE_DIR", "theirs");
        assertEquals(Path.of("theirs"), UserCache.directory(theirs, HOME, IN_HOME));
        Map<String, String> both = Map.of("MSCCLPP_CACHE_DIR", "theirs", "MSCCLJ_CACHE_DIR", "ours");
        assertEquals(Path.of("ours"), UserCache.directory(both, HOME, IN_HOME));
        Map<String, String> quoted = Map.of("MSCCLJ_CACHE_DIR", "~/cache");
        assertThrows(InvalidArgumentException.class, () -> UserCache.directory(quoted, HOME, IN_HOME));
    }

    @Test
    void keepsFilesInAPrivateFolder() throws IOException {
        Path made = temporary.resolve("a/b");
        UserCache cache = UserCache.in(made);
        assertEquals(Optional.empty(), cache.read(FILE));
        assertFalse(Files.exists(made), "reading makes nothing");
        assertEquals(made.resolve(FILE), cache.write(FILE, CONTENT));
        assertArrayEquals(CONTENT, cache.read(FILE).orElseThrow());
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(made.resolve("kind"))));
    }

    @Test
    void ignoresFoldersWritableByOthers() throws IOException {
        for (int mode : new int[] {0777, 01777}) {
            Path open = Files.createDirectory(temporary.resolve("open-" + mode));
            UserCache cache = UserCache.in(open);
            cache.write(FILE, CONTENT);
            Files.setAttribute(open, "unix:mode", mode);
            Path used = cache.write(FILE, new byte[] {4});
            assertFalse(used.startsWith(open), used::toString);
            assertArrayEquals(CONTENT, Files.readAllBytes(open.resolve(FILE)));
            assertArrayEquals(new byte[] {4}, cache.read(FILE).orElseThrow());
            assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(cache.folder())));
            assertNotEquals(open, cache.folder());
        }
    }

    @Test
    void ignoresLinksAndFilesOfOthers() throws IOException {
        Path folder = temporary.resolve("cache");
        UserCache cache = UserCache.in(folder);
        Path file = cache.write(FILE, CONTENT);
        Files.setAttribute(file, "unix:mode", 0666);
        assertEquals(Optional.empty(), cache.read(FILE));
        Files.delete(file);
        Path elsewhere = Files.write(temporary.resolve("elsewhere"), CONTENT);
        Files.createSymbolicLink(file, elsewhere);
        assertEquals(Optional.empty(), cache.read(FILE));
        Files.setAttribute(folder.resolve("kind"), "unix:mode", 0777);
        IOException e = assertThrows(IOException.class, () -> cache.write(FILE, CONTENT));
        assertTrue(String.valueOf(e.getMessage()).contains("rwxrwxrwx"), e::getMessage);
    }
}

package org.mscclj.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageMappingTest {
    private static final long BYTES = 8192;

    @BeforeAll
    static void requireLinux() {
        assumeTrue(
                PosixSupport.missing().isEmpty(), () -> PosixSupport.missing().orElse(""));
    }

    @Test
    void mappingsOfAFileAreTheSameMemory(@TempDir Path folder) {
        String path = folder.resolve("file").toString();
        int flags = NativeFile.O_CREAT | NativeFile.O_EXCL | NativeFile.O_RDWR | NativeFile.O_CLOEXEC;
        int file = NativeFile.open(path, flags, 0600);
        assertTrue(file >= 0, () -> Errno.name(-file));
        assertEquals(0, NativeFile.posixFallocate(file, 0, BYTES));
        try (Arena first = Arena.ofConfined();
                Arena second = Arena.ofConfined()) {
            MemorySegment one = PageMapping.segment(PageMapping.shared(file, BYTES), BYTES, first);
            MemorySegment other = PageMapping.segment(PageMapping.shared(file, BYTES), BYTES, second);
            one.set(ValueLayout.JAVA_LONG, BYTES - Long.BYTES, 7);
            assertEquals(7, other.get(ValueLayout.JAVA_LONG, BYTES - Long.BYTES));
        }
        assertEquals(0, NativeFile.close(file));
        assertEquals(0, NativeFile.unlink(path));
        assertTrue(Files.notExists(Path.of(path)));
    }

    @Test
    void closingTheArenaUnmaps() {
        Arena arena = Arena.ofConfined();
        MemorySegment memory = PageMapping.segment(PageMapping.ofProcess(BYTES), BYTES, arena);
        assertEquals(0, memory.get(ValueLayout.JAVA_LONG, 0));
        arena.close();
        assertThrows(IllegalStateException.class, () -> memory.get(ValueLayout.JAVA_LONG, 0));
    }

    @Test
    void failuresGiveTheNegativeOfErrno(@TempDir Path folder) {
        assertEquals(-Errno.ENOENT, NativeFile.open(folder.resolve("none").toString(), NativeFile.O_RDWR, 0));
        assertEquals(-Errno.ENOENT, NativeFile.unlink(folder.resolve("none").toString()));
        assertEquals("EBADF", Errno.name(-NativeFile.close(-1)));
        assertEquals("EBADF", Errno.name(-NativeFile.posixFallocate(-1, 0, BYTES)));
        assertEquals("EBADF", Errno.name((int) -PageMapping.shared(-1, BYTES)));
        assertEquals("Bad file descriptor", Errno.text(9));
    }
}

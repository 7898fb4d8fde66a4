package org.mscclj.api.error;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class FileProblemTest {
    @TempDir
    private Path folder;

    private static String problem(Executable access) {
        return FileProblem.of(assertThrows(IOException.class, access));
    }

    @Test
    void whatTheSystemRefusesIsSaidInWords() throws IOException {
        Path missing = folder.resolve("missing");
        assertEquals("there is no " + missing, problem(() -> Files.readString(missing)));
        Path file = Files.createFile(folder.resolve("file"));
        assertEquals(file + " is there already", problem(() -> Files.createDirectories(file)));
        assertEquals(file + " is no folder", problem(() -> Files.newDirectoryStream(file)));
        assertEquals(folder + " is not empty", problem(() -> Files.delete(folder)));
        assertEquals("Not a directory: " + file + "/below", problem(() -> Files.readString(file.resolve("below"))));
    }

    @Test
    void whatIsNoPermissionAndWhatIsWrappedAreSaid() {
        AccessDeniedException denied = new AccessDeniedException("/plans");
        assertEquals("this user has no permission for /plans", FileProblem.of(denied));
        assertEquals("this user has no permission for /plans", FileProblem.of(new UncheckedIOException(denied)));
    }

    @Test
    void whatHasOtherWordsKeepsThemOnOneLine() {
        assertEquals("No space left on device", FileProblem.of(new IOException("No space left on device")));
        assertEquals(
                "Read-only file system: /a\\u000ab",
                FileProblem.of(new FileSystemException("/a\nb", null, "Read-only file system")));
        assertEquals("an error without a message (IOException)", FileProblem.of(new IOException()));
    }
}

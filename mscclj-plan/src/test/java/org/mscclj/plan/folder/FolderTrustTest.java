package org.mscclj.plan.folder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderTrustTest {
    private static final int UNKNOWN_USER = 4_000_000;

    @TempDir
    Path temporary;

    private Path parent;
    private Path folder;
    private final FolderTrust trust = FolderTrust.ofUser();

    @BeforeEach
    void make() throws IOException {
        parent = Files.createDirectory(temporary.resolve("parent"));
        folder = Files.createDirectory(parent.resolve("folder"));
        permissions(parent, 0755);
        permissions(folder, 0700);
    }

    private static void permissions(Path path, int mode) throws IOException {
        Files.setAttribute(path, "unix:mode", mode);
    }

    private static void assertContains(String part, Optional<String> problem) {
        assertTrue(problem.orElse("").contains(part), problem::toString);
    }

    @Test
    void trustsFoldersOfThisUser() throws IOException {
        assertEquals(Optional.empty(), trust.problem(folder));
        assertEquals(Optional.empty(), trust.problem(folder.resolve("a/b")));
        Files.writeString(folder.resolve("file"), "");
        permissions(folder.resolve("file"), 0644);
        assertEquals(Optional.empty(), trust.problemOfFile(folder.resolve("file")));
    }

    @Test
    void refusesFoldersWritableByOthers() throws IOException {
        for (int mode : new int[] {0777, 01777, 0770, 0702}) {
            permissions(folder, mode);
            assertContains(
                    folder + " has the permissions "
                            + PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)),
                    trust.problem(folder));
        }
    }

    @Test
    void refusesParentsWritableByOthersUnlessSticky() throws IOException {
        permissions(parent, 0777);
        assertContains(parent + " has the permissions rwxrwxrwx", trust.problem(folder));
        assertContains(parent + " has the permissions rwxrwxrwx", trust.problem(parent.resolve("not-made-yet")));
        permissions(parent, 01777);
        assertEquals(Optional.empty(), trust.problem(folder));
        assertEquals(Optional.empty(), trust.problem(parent.resolve("not-made-yet")));
    }

    @Test
    void refusesFoldersOfAnotherUser() throws IOException {
        FolderTrust stranger = new FolderTrust(Set.of(UNKNOWN_USER));
        assertContains("belongs to user id", stranger.problem(folder));
        Path file = Files.writeString(folder.resolve("file"), "");
        assertContains("belongs to user id", stranger.problemOfFile(file));
        assertEquals(Optional.empty(), stranger.andOwnerOf(file).problemOfFile(file));
    }

    @Test
    void followsLinks() throws IOException {
        Path open = Files.createDirectory(parent.resolve("open"));
        permissions(open, 0777);
        Path link = Files.createSymbolicLink(folder.resolve("link"), open);
        assertContains(parent.toRealPath() + "/open has the permissions", trust.problem(link));
        permissions(open, 0700);
        assertEquals(Optional.empty(), trust.problem(link));
        permissions(folder, 0777); // others can replace the link in it
        assertContains(folder + " has the permissions", trust.problem(link));
    }

    @Test
    void refusesLinksAndFilesWritableByOthers() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        assertContains("is not a regular file", trust.problemOfFile(link));
        assertContains("is not a regular file", trust.problemOfFile(folder));
        permissions(file, 0666);
        assertContains("has the permissions rw-rw-rw-", trust.problemOfFile(file));
    }
}

package org.mscclj.runtime.dump;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DumpSocketTest {
    /** A folder whose name is short enough for a socket. */
    private static boolean isLeftBehind(long pid, boolean listens) throws Exception {
        Path folder = Files.createTempDirectory("d");
        Path socket = folder.resolve(pid + ".sock");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            if (!listens) {
                server.close();
            }
            return DumpSocket.isLeftBehind(socket);
        } finally {
            Files.delete(socket);
            Files.delete(folder);
        }
    }

    @Test
    void aThreadThatCannotBeStartedLeavesNoSocket() throws Exception {
        Path folder = Files.createTempDirectory("d");
        DumpSocket.Bound bound = DumpSocket.bind(() -> folder);
        IOException refusal = assertThrows(
                IOException.class,
                () -> DumpSocket.start(bound, () -> {
                    throw new OutOfMemoryError("unable to create native thread");
                }));
        assertEquals("its thread cannot be started", refusal.getMessage());
        assertFalse(bound.server().isOpen());
        assertFalse(Files.exists(bound.socket()));
        Files.delete(folder);
    }

    /** Others that end remove the folder as soon as it is empty. */
    @Test
    void aFolderThatOthersRemoveIsMadeAgain() throws Exception {
        Path folder = Files.createTempDirectory("d");
        AtomicInteger made = new AtomicInteger();
        DumpSocket.Folder removedOnce = () -> {
            if (made.incrementAndGet() == 1) {
                Files.delete(folder);
            } else {
                Files.createDirectories(folder);
            }
            return folder;
        };
        DumpSocket.Bound bound = DumpSocket.bind(removedOnce);
        try (ServerSocketChannel server = bound.server()) {
            assertTrue(server.isOpen());
            assertEquals(folder.resolve(ProcessHandle.current().pid() + ".sock"), bound.socket());
            assertEquals(2, made.get());
        } finally {
            Files.delete(bound.socket());
            Files.delete(folder);
        }
        assertThrows(IOException.class, () -> DumpSocket.bind(() -> folder), "it never comes back");
    }

    /** The path of a Unix socket has at most 107 bytes. */
    @Test
    void aRuntimeFolderWithALongNameIsNotUsed(@TempDir Path parent) throws Exception {
        Path folder = Files.createDirectory(
                parent.resolve("n".repeat(100)),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path used = DumpSocket.folder(Map.of("XDG_RUNTIME_DIR", folder.toString()));
        assertEquals(Path.of(System.getProperty("java.io.tmpdir")), used.getParent());
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(0, left.count());
        }
    }

    /** It may be about to listen. */
    @Test
    void aProcessThatLivesHasItsSocket() throws Exception {
        assertFalse(isLeftBehind(ProcessHandle.current().pid(), true));
        assertFalse(isLeftBehind(ProcessHandle.current().pid(), false));
    }

    /** The shell becomes a program that waits for no child, and has done so when its child ends. */
    @Test
    void aProcessThatItsParentHasNotWaitedForHasEnded() throws Exception {
        Process parent = new ProcessBuilder("sh", "-c", "sleep 0.5 & echo $!; exec sleep 60").start();
        try {
            String pid = parent.inputReader().readLine();
            while (!Files.readString(Path.of("/proc", pid, "stat")).contains(") Z ")) {
                Thread.onSpinWait();
            }
            assertTrue(ProcessHandle.of(Long.parseLong(pid)).isPresent());
            assertTrue(isLeftBehind(Long.parseLong(pid), false));
            assertFalse(isLeftBehind(Long.parseLong(pid), true), "of a process of another container");
        } finally {
            parent.destroyForcibly();
            assertEquals(137, parent.waitFor());
        }
    }
}

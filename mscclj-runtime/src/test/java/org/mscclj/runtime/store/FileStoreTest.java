package org.mscclj.runtime.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.api.Stores;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.folder.FolderTrust;
import org.mscclj.runtime.process.ModuleJvm;

/** A store in a folder belongs to its user, and processes share it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FileStoreTest {
    @TempDir
    Path folder;

    @Test
    void onlyItsOwnerCanUseIt() throws Exception {
        Path made = folder.resolve("a/b");
        try (Store store = Stores.file(made)) {
            store.set("secret", new byte[1]);
        }
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(made)));
        try (Stream<Path> files = Files.list(made)) {
            for (Path file : files.toList()) {
                assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            }
        }
        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxrwxrwx"));
        InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> Stores.file(made));
        assertTrue(String.valueOf(e.getMessage()).contains("rwxrwxrwx"), e::getMessage);
        assertThrows(InvalidArgumentException.class, () -> Stores.file(Files.createFile(folder.resolve("file"))));
    }

    @Test
    void aFolderOrAKeyOfAnotherUserIsRefused() throws Exception {
        Duration timeout = Duration.ofSeconds(5);
        FolderTrust stranger = new FolderTrust(Set.of(4_000_000));
        InvalidArgumentException e =
                assertThrows(InvalidArgumentException.class, () -> new FileStore(folder, timeout, stranger));
        assertTrue(String.valueOf(e.getMessage()).contains("belongs to user id"), e::getMessage);
        try (Store store = Stores.file(folder)) {
            store.set("key", new byte[1]);
            Files.setPosixFilePermissions(folder.resolve("key.key"), PosixFilePermissions.fromString("rw-rw-rw-"));
            BackendException key = assertThrows(BackendException.class, () -> store.find("key"));
            assertTrue(String.valueOf(key.getMessage()).contains("rw-rw-rw-"), key::getMessage);
            Files.delete(folder.resolve("key.key"));
            Files.createSymbolicLink(folder.resolve("key.key"), folder.resolve("lock"));
            assertThrows(BackendException.class, () -> store.find("key"));
        }
    }

    @Test
    void aFolderThatOthersCanReplaceIsRefused() throws Exception {
        Path parent = Files.createDirectory(folder.resolve("parent"));
        Files.setAttribute(parent, "unix:mode", 0777);
        InvalidArgumentException e =
                assertThrows(InvalidArgumentException.class, () -> Stores.file(parent.resolve("store")));
        assertTrue(String.valueOf(e.getMessage()).contains(parent + " has the permissions"), e::getMessage);
        Files.setAttribute(parent, "unix:mode", 01777);
        Stores.file(parent.resolve("store")).close();
    }

    @Test
    void processesThatAddGetEverySumOnce() throws Exception {
        int times = 200;
        List<Process> processes = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                processes.add(ModuleJvm.start(AddToStore.class, folder.toString(), Integer.toString(times)));
            }
            Set<String> sums = new HashSet<>();
            for (Process process : processes) {
                process.inputReader().lines().forEach(line -> assertTrue(sums.add(line), line));
                assertEquals(0, process.waitFor());
            }
            assertEquals(3 * times, sums.size());
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    @Test
    void whoWaitsForAStoppedProcessIsToldSo() throws Exception {
        Path lock = folder.resolve("lock");
        try (Store store = new FileStore(folder, Duration.ofMillis(200))) {
            store.set("key", new byte[1]);
            try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
                    FileLock _ = channel.lock()) {
                for (Executable change : List.<Executable>of(
                        () -> store.set("key", new byte[2]),
                        () -> store.add("counter", 1),
                        () -> store.delete("key"))) {
                    BackendException e = assertThrows(BackendException.class, change);
                    assertTrue(
                            String.valueOf(e.getMessage()).contains(lock.toRealPath() + " for 200 ms"), e::getMessage);
                }
                assertEquals(1, store.find("key").orElseThrow().length, "those who read need no turn");
            }
            store.set("key", new byte[2]);
        }
    }

    @Test
    void aKilledProcessLeavesTheStoreUsable() throws Exception {
        Process process = ModuleJvm.start(AddToStore.class, folder.toString(), Integer.toString(Integer.MAX_VALUE));
        String first = process.inputReader().readLine();
        process.destroyForcibly().waitFor();
        try (Store store = Stores.file(folder)) {
            assertTrue(store.add("counter", 1) > Long.parseLong(first), first);
        }
    }
}

package org.mscclj.runtime.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.api.UniqueId;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.error.InvalidArgumentException;

class JobFileTest {
    private static final UniqueId ID = UniqueId.create(RendezvousAddress.parse("127.0.0.1:5000"));

    @TempDir
    Path folder;

    private List<Path> files() throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    void isPrivateAndRemoved() throws Exception {
        try (JobFile file = JobFile.of("prterun-host-1@1/../x", Map.of("XDG_RUNTIME_DIR", folder.toString()))) {
            assertEquals(Optional.empty(), file.read());
            file.write(ID);
            assertEquals(1, files().size());
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(files().getFirst())));
            assertEquals(Optional.of(ID), file.read());
        }
        assertEquals(List.of(), files());
    }

    @Test
    void whoDoesNotFindRankZeroRemovesWhatItLeft() throws Exception {
        UniqueId later = UniqueId.create(RendezvousAddress.parse("127.0.0.1:5001"));
        JobFile file = JobFile.in(folder, "job");
        file.abandon(ID);
        file.write(later);
        file.abandon(ID);
        assertEquals(Optional.of(later), file.read());
        file.abandon(later);
        assertEquals(List.of(), files());
    }

    @Test
    void whatKilledProcessesHadBegunIsRemoved() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        JobFile file = JobFile.in(folder, "job");
        file.write(ID);
        Path written = files().getFirst();
        Path ofDead = written.resolveSibling(written.getFileName() + "." + ended.pid());
        Path ofLiving = written.resolveSibling(
                written.getFileName() + "." + ProcessHandle.current().pid());
        Path ofOther = written.resolveSibling(written.getFileName() + ".name");
        for (Path path : List.of(ofDead, ofLiving, ofOther)) {
            Files.createFile(path);
        }
        file.removeUnfinished();
        assertEquals(Set.of(written, ofLiving, ofOther), Set.copyOf(files()));
    }

    @Test
    void jobsHaveFilesOfTheirOwn() {
        try (JobFile one = JobFile.in(folder, "a/b");
                JobFile two = JobFile.in(folder, "a_b")) {
            one.write(ID);
            assertEquals(Optional.empty(), two.read());
        }
    }

    @Test
    void whatOthersCouldHaveWrittenIsNotBelieved() throws Exception {
        try (JobFile file = JobFile.in(folder, "job")) {
            file.write(ID);
            Files.setPosixFilePermissions(files().getFirst(), PosixFilePermissions.fromString("rw-rw----"));
            InvalidArgumentException e = assertThrows(InvalidArgumentException.class, file::read);
            assertTrue(String.valueOf(e.getMessage()).contains("rw-rw----"), e::getMessage);
            file.write(ID);
            assertEquals(Optional.of(ID), file.read());
        }
    }

    @Test
    void linksAreNotFollowed() throws Exception {
        try (JobFile file = JobFile.in(folder, "job")) {
            file.write(ID);
            Path written = files().getFirst();
            Path elsewhere = folder.resolve("elsewhere");
            Files.move(written, elsewhere);
            Files.createSymbolicLink(written, elsewhere);
            assertEquals(Optional.empty(), file.read());
        }
    }
}

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
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.api.UniqueId;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.settings.RuntimeFolder;

class JobFileTest {
    private static final UniqueId ID = UniqueId.create(RendezvousAddress.parse("127.0.0.1:5000"));

    private static final String NAMESPACE = "-" + ProcessTag.own().orElseThrow().namespace();

    @TempDir
    Path folder;

    private List<Path> files() throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    void isPrivateAndRemoved() throws Exception {
        try (JobFile file = JobFile.in(folder, "prterun-host-1@1/../x")) {
            assertEquals(Optional.empty(), file.read());
            file.write(ID);
            assertEquals(1, files().size());
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(files().getFirst())));
            assertEquals(Optional.of(ID), file.read());
        }
        assertEquals(List.of(), files());
    }

    private JobFiles files(String runtimeFolder, String job) {
        return JobFiles.of(job, Map.of("XDG_RUNTIME_DIR", runtimeFolder));
    }

    private static String permissions(Path folder, String permissions) throws Exception {
        Files.createDirectories(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
        return folder.toString();
    }

    @Test
    void ranksMeetOfWhichOneAloneHasARuntimeFolder() throws Exception {
        String own = permissions(folder.resolve("own"), "rwx------");
        String job = "test-" + UUID.randomUUID();
        for (List<String> zeroAndOther : List.of(List.of(own, ""), List.of("", own))) {
            try (JobFiles zero = files(zeroAndOther.getFirst(), job)) {
                JobFiles other = files(zeroAndOther.getLast(), job);
                zero.write(ID);
                assertEquals(Optional.of(ID), other.read(), zeroAndOther::toString);
            }
            assertEquals(Optional.empty(), files("", job).read());
            assertEquals(Optional.empty(), files(own, job).read());
        }
    }

    /** As after {@code su}, which keeps the variable: the folder is another user's, or others may write there. */
    @Test
    void aRuntimeFolderThatOthersMayChangeIsNotUsed() throws Exception {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        String others = permissions(folder.resolve("others"), "rwxrwxrwx");
        assertEquals(List.of(temporary), RuntimeFolder.all(Map.of("XDG_RUNTIME_DIR", others)));
        assertEquals(
                List.of(temporary),
                RuntimeFolder.all(
                        Map.of("XDG_RUNTIME_DIR", folder.resolve("none").toString())));
        if (Files.getAttribute(Path.of("/"), "unix:uid").equals(0)
                && !Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)) {
            assertEquals(List.of(temporary), RuntimeFolder.all(Map.of("XDG_RUNTIME_DIR", "/")));
        }
        String own = permissions(folder.resolve("own"), "rwx------");
        assertEquals(List.of(Path.of(own), temporary), RuntimeFolder.all(Map.of("XDG_RUNTIME_DIR", own)));
    }

    /** Two jobs with one name: the second rank 0 does not take the first one's ranks. */
    @Test
    void aRankZeroThatWaitsIsNotReplaced() throws Exception {
        Process living = new ProcessBuilder("sleep", "60").start();
        try {
            JobFile file = JobFile.in(folder, "job");
            file.write(ID);
            Path written = files().getFirst();
            String stat = Files.readString(Path.of("/proc", Long.toString(living.pid()), "stat"));
            String start = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19];
            Files.writeString(written, ID.text() + "\n" + living.pid() + "-" + start + NAMESPACE + "\n");
            JobFiles second = new JobFiles(List.of(file));
            InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> second.write(ID));
            assertTrue(String.valueOf(e.getMessage()).contains("process " + living.pid()), e::getMessage);
            Files.writeString(
                    written,
                    ID.text() + "\n" + living.pid() + "-1" + NAMESPACE + "\n"); // an earlier process of that number
            second.write(ID);
            Files.writeString(written, ID.text() + "\n" + living.pid() + "-" + start + NAMESPACE + "\n");
        } finally {
            living.destroyForcibly().waitFor();
        }
        new JobFiles(List.of(JobFile.in(folder, "job"))).write(ID); // it has been killed
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
        Path unfinished = unfinished("job", ended() + "-1" + NAMESPACE);
        Set<Path> others = Set.of(
                unfinished("another", ended() + "-1" + NAMESPACE),
                unfinished("job", ended() + "-1-1"),
                unfinished("job", ProcessTag.own().orElseThrow().text()),
                unfinished("job", "name"));
        JobFile.in(folder, "job").removeUnfinished();
        assertEquals(others, Set.copyOf(files()), () -> unfinished + " is gone, and no other");
    }

    /** Rank 0 was stopped while it wrote, and was killed later. */
    @Test
    void theNextJobRemovesWhatKilledProcessesHadBegunForAnyJob() throws Exception {
        unfinished("job", ended() + "-1" + NAMESPACE);
        unfinished("another", ended() + "-1" + NAMESPACE);
        Path ofLiving = unfinished("job", ProcessTag.own().orElseThrow().text());
        Path notDeletable = Files.createDirectories(unfinishedName("third", ended() + "-1" + NAMESPACE));
        Files.createFile(notDeletable.resolve("file"));
        try (JobFile next = JobFile.in(folder, "next")) {
            next.write(ID);
        }
        assertEquals(Set.of(ofLiving, notDeletable), Set.copyOf(files()));
    }

    /** What a process leaves that ends while it writes the file of a job. */
    private Path unfinished(String job, String process) throws Exception {
        return Files.createFile(unfinishedName(job, process));
    }

    private Path unfinishedName(String job, String process) {
        return Path.of(JobFile.in(folder, job) + "." + process);
    }

    private static long ended() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        return ended.pid();
    }

    /** Rank 0 was stopped, say, so that no rank that waited for it could know, and was killed later. */
    @Test
    void theNextJobRemovesFilesOfJobsWhoseRankZeroHasEnded() throws Exception {
        Path ofEndedElsewhere = written("elsewhere", ended() + "-1-1");
        Path ofLiving = written("living", ProcessTag.own().orElseThrow().text());
        Path ofUnknown = written("unknown", "");
        Path notPrivate = written("not-private", ended() + "-1" + NAMESPACE);
        Files.setPosixFilePermissions(notPrivate, PosixFilePermissions.fromString("rw-r-----"));
        Path ofEnded = written("ended", ended() + "-1" + NAMESPACE);
        assertEquals(Set.of(ofEnded, ofEndedElsewhere, ofLiving, ofUnknown, notPrivate), Set.copyOf(files()));
        try (JobFile next = JobFile.in(folder, "next")) {
            next.write(ID);
        }
        assertEquals(Set.of(ofEndedElsewhere, ofLiving, ofUnknown, notPrivate), Set.copyOf(files()));
    }

    /** What a rank 0 of a job has left, with that as its process. */
    private Path written(String job, String process) throws Exception {
        Set<Path> before = Set.copyOf(files());
        JobFile.in(folder, job).write(ID);
        Path file = files().stream()
                .filter(path -> !before.contains(path))
                .findFirst()
                .orElseThrow();
        Files.writeString(file, ID.text() + "\n" + process + "\n");
        return file;
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

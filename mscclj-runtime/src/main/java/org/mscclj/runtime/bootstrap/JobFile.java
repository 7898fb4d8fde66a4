package org.mscclj.runtime.bootstrap;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mscclj.api.UniqueId;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.runtime.digest.Sha256;

/**
 * By which the ranks of one host agree on address and secret: a file that only this user can read, named after the user
 * and the job, whose second line tells rank 0's process. Rank 0 writes it, and removes it when all have come. If rank 0
 * has ended before, the ranks that do not find it remove the file. If no such rank is left, rank 0 of the user's next
 * job does.
 */
final class JobFile implements MeetingPlace {
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rw-------");
    private static final int LONGEST = 4096;

    /** A file's name, which ends with a digest, and a process. */
    private static final Pattern UNFINISHED = Pattern.compile(".*-[0-9a-f]+\\.([0-9-]+)");

    private final Path file;

    private JobFile(Path file) {
        this.file = file;
    }

    /** The file of a job in a folder. */
    static JobFile in(Path folder, String job) {
        return new JobFile(folder.resolve(prefix() + digest(job)));
    }

    /** What the names of this user's files begin with. */
    private static String prefix() {
        return "mscclj-" + user() + "-";
    }

    private static String user() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString();
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return System.getProperty("user.name", "unknown").replaceAll("[^A-Za-z0-9]", "_"); // no Linux
        }
    }

    /** Names of jobs hold characters that names of files cannot. */
    private static String digest(String job) {
        String readable = job.replaceAll("[^A-Za-z0-9.-]", "_");
        return readable.substring(0, Math.min(readable.length(), 64)) + "-" + Sha256.shortOf(job);
    }

    /**
     * Checks that no other rank 0 waits here.
     *
     * @throws InvalidArgumentException if one does
     */
    void requireNoOther() {
        owner().filter(owner -> !owner.isOwn() && owner.isAlive()).ifPresent(owner -> {
            throw new InvalidArgumentException("another rank 0, process " + owner.number()
                    + ", is waiting for ranks of the same job: " + file
                    + " is its; give each job a name of its own in MSCCLJ_JOB, or a port of its own, or end"
                    + " that process");
        });
    }

    private Optional<ProcessTag> owner() {
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > LONGEST) {
                return Optional.empty();
            }
            requirePrivate();
            List<String> lines = Files.readAllLines(file);
            return lines.size() < 2 ? Optional.empty() : ProcessTag.parse(lines.get(1));
        } catch (IOException | InvalidArgumentException e) {
            return Optional.empty(); // removed meanwhile, or not this user's, which writing finds out
        }
    }

    /** Publishes address and secret, in place of what an earlier job of that name may have left. */
    @Override
    public void write(UniqueId id) {
        Path whole = ownName();
        removeOfEnded();
        try {
            Files.deleteIfExists(whole);
            Files.createFile(whole, PosixFilePermissions.asFileAttribute(PRIVATE));
            Files.writeString(
                    whole,
                    id.text() + "\n"
                            + ProcessTag.own().map(own -> own.text() + "\n").orElse(""),
                    StandardOpenOption.WRITE);
            Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UnsupportedException("rank 0 cannot write " + file
                    + ", by which the ranks of this host find each other: " + FileProblem.of(e)
                    + "; make the folder writable, or set MSCCLJ_MASTER_ADDR and MSCCLJ_SECRET");
        }
    }

    /** What rank 0 has published; empty if it has not yet. */
    @Override
    public Optional<UniqueId> read() {
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.empty();
            }
            requirePrivate();
            if (Files.size(file) > LONGEST) {
                throw new InvalidArgumentException(file + " is no file of mscclj; remove it");
            }
            List<String> lines = Files.readAllLines(file);
            return lines.isEmpty() ? Optional.empty() : Optional.of(UniqueId.parse(lines.getFirst()));
        } catch (IOException e) {
            // Removed meanwhile, or not readable: the rendezvous tries again, and times out in the end.
            return Optional.empty();
        }
    }

    /** Another user could have put a file of this name there, to be asked for a proof or to be believed. */
    private void requirePrivate() throws IOException {
        String owner = Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).getName();
        String own = Files.getOwner(Path.of("/proc/self")).getName();
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS);
        if (!owner.equals(own) || !permissions.equals(PRIVATE)) {
            throw new InvalidArgumentException(file + " belongs to " + owner + " with permissions "
                    + PosixFilePermissions.toString(permissions) + "; allowed: to " + own + " with "
                    + PosixFilePermissions.toString(PRIVATE) + "; remove it");
        }
    }

    /**
     * Removes the file if it holds this address and secret: rank 0, which would have removed it, has ended without a
     * word. What a rank 0 of another start has written meanwhile stays.
     */
    @Override
    public void abandon(UniqueId id) {
        Path aside = ownName();
        try {
            if (!read().equals(Optional.of(id))) {
                return;
            }
            Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE);
            if (!new JobFile(aside).read().equals(Optional.of(id))) {
                Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE); // ranks that look for it meanwhile try again
            }
        } catch (IOException e) {
            return; // another rank was faster
        }
        new JobFile(aside).close();
    }

    /** Removes what processes that have ended had begun to write for this job, as far as it may be removed. */
    @Override
    public void removeUnfinished() {
        forEach(file.getFileName() + ".*", JobFile::deleteIfUnfinished);
    }

    /** Removes what ranks 0 that have ended left for any job of this user, as far as it may be removed. */
    private void removeOfEnded() {
        forEach(prefix() + "*", path -> {
            if (!deleteIfUnfinished(path)) {
                new JobFile(path).abandonIfEnded();
            }
        });
    }

    /** Deletes a file under a name of {@link #ownName} whose process has ended. */
    private static boolean deleteIfUnfinished(Path path) throws IOException {
        Matcher name = UNFINISHED.matcher(path.getFileName().toString());
        return name.matches()
                && ProcessTag.parse(name.group(1)).filter(ProcessTag::hasEnded).isPresent()
                && Files.deleteIfExists(path);
    }

    private void abandonIfEnded() {
        // In this order: if another rank 0 writes meanwhile, its process lives, or its id differs.
        read().ifPresent(id -> {
            if (owner().filter(ProcessTag::hasEnded).isPresent()) {
                abandon(id);
            }
        });
    }

    /**
     * Carries an action out on each path in the folder whose name matches a glob. What fails is left: it does no harm,
     * and another user may have put it there so that a job cannot start.
     */
    private void forEach(String form, FileAction action) {
        try (DirectoryStream<Path> paths =
                Files.newDirectoryStream(file.toAbsolutePath().getParent(), form)) {
            for (Path path : paths) {
                carryOut(action, path);
            }
        } catch (IOException | DirectoryIteratorException e) {
            return; // the folder cannot be read
        }
    }

    private static void carryOut(FileAction action, Path path) {
        try {
            action.on(path);
        } catch (IOException | MsccljException e) {
            return; // this file is not ours or cannot be removed; others can
        }
    }

    /** What is done with a file. */
    @FunctionalInterface
    private interface FileAction {
        void on(Path path) throws IOException;
    }

    /** A name beside the file's that no other process uses, and that tells which process does. */
    private Path ownName() {
        String process = ProcessTag.own()
                .map(ProcessTag::text)
                .orElseGet(() -> Long.toString(ProcessHandle.current().pid()));
        return file.resolveSibling(file.getFileName() + "." + process);
    }

    @Override
    public String advice() {
        return "start rank 0 on this host, as the same user, with the same job and the same java.io.tmpdir; if it is"
                + " on another host, set MSCCLJ_MASTER_ADDR, MSCCLJ_MASTER_PORT and MSCCLJ_SECRET";
    }

    /** Removes the file. Idempotent. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UnsupportedException(file + " cannot be removed: " + FileProblem.of(e) + "; remove it");
        }
    }

    @Override
    public String toString() {
        return file.toString();
    }
}

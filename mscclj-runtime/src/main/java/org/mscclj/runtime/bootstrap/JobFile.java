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
import org.mscclj.plan.digest.Sha256;

/**
 * A file through which the ranks of one host agree on address and secret. Only this user can read it. Its name contains
 * the user and the job, and its second line identifies the process of rank 0. Rank 0 writes it, and removes it when all
 * ranks have come. If rank 0 ends before that, the ranks that do not find rank 0 remove the file. If no such rank is
 * left, rank 0 of the user's next job removes it.
 */
final class JobFile implements RendezvousPoint {
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rw-------");
    private static final int LONGEST = 4096;

    /** The name of an unfinished file: the name of a job's file, which ends with a digest, and a process. */
    private static final Pattern UNFINISHED = Pattern.compile(".*-[0-9a-f]+\\.([0-9-]+)");

    private final Path file;

    private JobFile(Path file) {
        this.file = file;
    }

    /** Returns the file of a job in a folder. */
    static JobFile in(Path folder, String job) {
        return new JobFile(folder.resolve(prefix() + digest(job)));
    }

    /** Returns the prefix of the names of this user's files. */
    private static String prefix() {
        return "mscclj-" + user() + "-";
    }

    private static String user() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString();
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return System.getProperty("user.name", "unknown").replaceAll("[^A-Za-z0-9]", "_"); // not Linux
        }
    }

    /**
     * Returns a part of a file name for a job, because names of jobs may contain characters that names of files cannot.
     */
    private static String digest(String job) {
        String readable = job.replaceAll("[^A-Za-z0-9.-]", "_");
        return readable.substring(0, Math.min(readable.length(), 64)) + "-" + Sha256.shortOf(job);
    }

    /**
     * Checks that no other rank 0 waits for ranks of this job.
     *
     * @throws InvalidArgumentException if another rank 0 waits
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
            return Optional.empty(); // removed in the meantime, or another user's file, which the write will report
        }
    }

    /** Publishes address and secret. They replace those that an earlier job of this name may have left. */
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

    /** Returns the address and secret that rank 0 has published; empty if it has published none. */
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
            // Removed in the meantime, or not readable: the rendezvous tries again, and times out in the end.
            return Optional.empty();
        }
    }

    /**
     * Checks that the file belongs to this user and is private. Another user could have created a file of this name, to
     * receive a proof or to be trusted.
     */
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
     * Removes the file if it holds this address and secret: rank 0, which would have removed it, has ended without
     * doing so. A file that rank 0 of another start has written in the meantime stays.
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
                Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE); // ranks that read it meanwhile try again
            }
        } catch (IOException e) {
            return; // another rank was faster
        }
        new JobFile(aside).close();
    }

    /** Removes, where permitted, unfinished files of this job that were left by processes that have ended. */
    @Override
    public void removeUnfinished() {
        forEach(file.getFileName() + ".*", JobFile::deleteIfUnfinished);
    }

    /** Removes, where permitted, the files of all jobs of this user that were left by ranks 0 that have ended. */
    private void removeOfEnded() {
        forEach(prefix() + "*", path -> {
            if (!deleteIfUnfinished(path)) {
                new JobFile(path).abandonIfEnded();
            }
        });
    }

    /** Deletes a file with a name of {@link #ownName} if its process has ended. */
    private static boolean deleteIfUnfinished(Path path) throws IOException {
        Matcher name = UNFINISHED.matcher(path.getFileName().toString());
        return name.matches()
                && ProcessTag.parse(name.group(1)).filter(ProcessTag::hasEnded).isPresent()
                && Files.deleteIfExists(path);
    }

    private void abandonIfEnded() {
        // In this order: if another rank 0 writes in the meantime, its process lives, or its id differs.
        read().ifPresent(id -> {
            if (owner().filter(ProcessTag::hasEnded).isPresent()) {
                abandon(id);
            }
        });
    }

    /**
     * Applies an action to each path in the folder whose name matches a glob. A path for which the action fails stays:
     * it does no harm, and another user may have created it to keep a job from starting.
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
            return; // this file is another user's, or cannot be removed; others can
        }
    }

    /** An action on a file. */
    @FunctionalInterface
    private interface FileAction {
        void on(Path path) throws IOException;
    }

    /** Returns a name, based on the name of the file, that no other process uses and that identifies this process. */
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

package org.mscclj.runtime.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.digest.Sha256;
import org.mscclj.plan.folder.FolderTrust;
import org.mscclj.runtime.time.Deadline;
import org.mscclj.spi.waiting.Backoff;

/** The files of a store: one for each key, and one that a writer locks. Only their owner can read them. */
final class StoreFolder {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_-]{1,100}");
    private static final String POSIX = "posix";
    private static final long FIRST_PAUSE_NANOS = 50_000;
    private static final long MAX_PAUSE_NANOS = 5_000_000;

    /**
     * Locks between the threads of this process, one for each folder: a lock of the operating system belongs to the
     * whole process.
     */
    private static final ConcurrentMap<Path, ReentrantLock> THREADS = new ConcurrentHashMap<>();

    private final Path folder;
    private final boolean posix;
    private final Duration timeout;
    private final ReentrantLock threads;

    private final FolderTrust trust;

    private StoreFolder(Path folder, boolean posix, Duration timeout, FolderTrust trust) {
        this.trust = trust;
        this.folder = folder;
        this.posix = posix;
        this.timeout = timeout;
        this.threads = THREADS.computeIfAbsent(folder, unknown -> new ReentrantLock());
    }

    /** The right to write, until it is closed. */
    record Turn(ReentrantLock threads, FileChannel lock) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            try {
                lock.close();
            } finally {
                threads.unlock();
            }
        }
    }

    /**
     * Opens a folder, and creates it if it is missing.
     *
     * @param timeout maximum time to wait for a turn: its holder may be stopped
     */
    static StoreFolder open(Path path, Duration timeout, FolderTrust trust) {
        boolean posix = path.getFileSystem().supportedFileAttributeViews().contains(POSIX);
        try {
            requireTrusted(path, trust);
            if (!Files.isDirectory(path) && posix) {
                Files.createDirectories(
                        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            Files.createDirectories(path);
            Path folder = path.toRealPath();
            requireTrusted(path, trust);
            return new StoreFolder(folder, posix, timeout, trust);
        } catch (IOException e) {
            throw new InvalidArgumentException(
                    "folder " + path + " cannot hold a store: " + FileProblem.of(e)
                            + "; name one that this user can make or write to",
                    e);
        }
    }

    /** Requires a folder that no other user can change: another user could pretend to be rank 0. */
    private static void requireTrusted(Path folder, FolderTrust trust) {
        trust.problem(folder).ifPresent(problem -> {
            throw new InvalidArgumentException("folder " + folder + " cannot hold a store, as " + problem
                    + "; allowed: a folder of this user with permissions like rwx------, whose parents belong"
                    + " to this user or the"
                    + " superuser and are writable by no other user, unless they have the sticky bit");
        });
    }

    /** Waits for a turn, at most for the timeout. */
    Turn turn() throws IOException {
        Deadline deadline = Deadline.after(timeout);
        try {
            if (!threads.tryLock(deadline.left(), TimeUnit.NANOSECONDS)) {
                throw late("another thread of this process");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while waiting for the lock of " + folder, e);
        }
        try {
            FileChannel channel = create(lock(), StandardOpenOption.CREATE);
            try {
                lock(channel, deadline);
                return new Turn(threads, channel);
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            threads.unlock();
            throw e;
        }
    }

    private Path lock() {
        return folder.resolve("lock");
    }

    /** Tries repeatedly, since the operating system's own wait has no timeout. */
    private void lock(FileChannel channel, Deadline deadline) throws IOException {
        Backoff pauses = Backoff.napping(FIRST_PAUSE_NANOS, MAX_PAUSE_NANOS);
        pauses.start(deadline.left());
        while (!isLocked(channel)) {
            if (!pauses.pause("waiting for the lock of " + folder)) {
                throw late("another process");
            }
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // by another copy of this class in this process
        }
    }

    private IOException late(String holder) {
        return new IOException(holder + " has held " + lock() + " for " + DurationText.of(timeout)
                + "; find out whether it is stopped");
    }

    private FileChannel create(Path file, StandardOpenOption how) throws IOException {
        Set<StandardOpenOption> options = Set.of(how, StandardOpenOption.WRITE);
        return posix
                ? FileChannel.open(
                        file,
                        options,
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))
                : FileChannel.open(file, options);
    }

    /**
     * Stores a value, in the caller's turn. A process that is killed meanwhile leaves a file behind that no process
     * reads.
     */
    void replace(String key, byte[] value) throws IOException {
        Path whole = folder.resolve("new." + UUID.randomUUID());
        try {
            try (FileChannel channel = create(whole, StandardOpenOption.CREATE_NEW)) {
                ByteBuffer bytes = ByteBuffer.wrap(value);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
            Files.move(whole, file(key), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            Files.deleteIfExists(whole);
            throw e;
        }
    }

    byte[] read(String key) throws IOException {
        Path file = file(key);
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            requireTrustedFile(file);
        }
        if (Files.size(file) > Store.MAX_VALUE) {
            throw new IOException(file + " is longer than any value");
        }
        return Files.readAllBytes(file);
    }

    /** Refuses a key that another user had put there before the folder was made private. */
    private void requireTrustedFile(Path file) throws IOException {
        Optional<String> problem = trust.problemOfFile(file);
        if (problem.isPresent()) {
            throw new IOException(problem.get() + "; remove it, or name another folder");
        }
    }

    boolean has(String key) {
        return Files.exists(file(key));
    }

    /** Returns the file of a key. Keys may contain characters that file names cannot. */
    Path file(String key) {
        if (PLAIN.matcher(key).matches()) {
            return folder.resolve("key." + key);
        }
        return folder.resolve("hash." + Sha256.of(key));
    }

    @Override
    public String toString() {
        return "folder " + folder;
    }
}

package org.mscclj.plan.folder;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;

/**
 * A directory in which this user's processes keep what they can recreate: native libraries, compiled kernels, plans.
 * All caches of the project are of this class.
 *
 * <p>A directory that another user can change is not used, since that user could replace the cached code. A private
 * directory that lives as long as the process replaces it, with a warning. Files are written under a temporary name and
 * moved in one step, and read through one descriptor that follows no link. Thread-safe, also between processes.
 */
public final class UserCache {
    /** The environment variable that names the directory. */
    public static final String VARIABLE = "MSCCLJ_CACHE_DIR";

    /** MSCCL++'s environment variable, which applies if {@link #VARIABLE} is not set. */
    public static final String MSCCLPP_VARIABLE = "MSCCLPP_CACHE_DIR";

    private static final System.Logger LOGGER = System.getLogger(UserCache.class.getName());
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final Set<Path> REPORTED = ConcurrentHashMap.newKeySet();

    /** Replaces directories that are not trusted; one for the process. */
    private static @Nullable Path ownFolder;

    private final Path wanted;
    private final FolderTrust trust;

    private UserCache(Path wanted, FolderTrust trust) {
        this.wanted = wanted.toAbsolutePath();
        this.trust = trust;
    }

    /**
     * The directory that the environment names, or else one in the user's home.
     *
     * @param inHome path within the home if no variable is set
     * @throws InvalidArgumentException if the value begins with {@code ~}
     */
    public static UserCache ofProcess(List<String> inHome) {
        return in(directory(System.getenv(), UserHome.ofProcess(), inHome));
    }

    /** A given directory, which need not exist yet. */
    public static UserCache in(Path folder) {
        return new UserCache(folder, FolderTrust.ofUser());
    }

    /** A given directory with a given trust; for tests. */
    static UserCache in(Path folder, FolderTrust trust) {
        return new UserCache(folder, trust);
    }

    /** The directory that {@link #ofProcess} uses in an environment. */
    public static Path directory(Map<String, String> environment, Path home, List<String> inHome) {
        for (String variable : List.of(VARIABLE, MSCCLPP_VARIABLE)) {
            String named = environment.getOrDefault(variable, "");
            if (named.startsWith("~")) {
                throw InvalidArgumentException.of(
                        variable, named, "a path without ~, which only a shell replaces, and not between quotes");
            }
            if (!named.isBlank()) {
                return Path.of(named);
            }
        }
        Path folder = home;
        for (String name : inHome) {
            folder = folder.resolve(name);
        }
        return folder;
    }

    /** The directory in use: the requested one, or the private one that replaces it, which this method creates. */
    public Path folder() {
        return problem().isEmpty() ? wanted : ownFolder();
    }

    /** The content of a file; empty if it is missing, unreadable, or can be changed by another user. */
    public Optional<byte[]> read(Path relative) {
        Optional<Path> folder = problem().isEmpty() ? Optional.of(wanted) : madeFolder();
        return folder.flatMap(known -> read(known.resolve(relative), trust));
    }

    /** The content of a file at any path, if no other user can change the file or its directory. */
    public static Optional<byte[]> read(Path file, FolderTrust trust) {
        Path absolute = file.toAbsolutePath();
        if (!Files.exists(absolute, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        Optional<String> problem = trust.problem(parentOf(absolute)).or(() -> trust.problemOfFile(absolute));
        if (problem.isPresent()) {
            report(absolute, problem.get(), "it is not read");
            return Optional.empty();
        }
        try (SeekableByteChannel channel =
                Files.newByteChannel(absolute, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            ByteBuffer content = ByteBuffer.allocate(Math.toIntExact(channel.size()));
            while (content.hasRemaining() && channel.read(content) >= 0) {
                // until all is read, or the file turns out to be shorter than before
            }
            return content.hasRemaining() ? Optional.empty() : Optional.of(content.array());
        } catch (IOException | ArithmeticException _) {
            return Optional.empty();
        }
    }

    /**
     * Writes or replaces a file atomically. Creates missing directories with access for this user only.
     *
     * @return the path of the file
     */
    public Path write(Path relative, byte[] content) throws IOException {
        Path file = folder().resolve(relative);
        Path folder = parentOf(file);
        Files.createDirectories(folder, OWNER_ONLY);
        Optional<String> problem = trust.problem(folder);
        if (problem.isPresent()) {
            throw new IOException(problem.get());
        }
        Path whole = Files.createTempFile(folder, ".", ".part");
        try {
            Files.write(whole, content);
            move(whole, file);
        } finally {
            Files.deleteIfExists(whole);
        }
        return file;
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException _) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static Path parentOf(Path file) {
        Path parent = file.getParent();
        return parent == null ? file : parent;
    }

    private Optional<String> problem() {
        Optional<String> problem = trust.problem(wanted);
        problem.ifPresent(why -> report(
                wanted,
                why,
                "a private directory is used until this process ends; let " + VARIABLE
                        + " name a directory of this user, with parents to which no other user can"
                        + " write, for example by"
                        + " chmod go-w"));
        return problem;
    }

    private static void report(Path path, String problem, String consequence) {
        if (REPORTED.add(path)) {
            LOGGER.log(
                    Level.WARNING,
                    "the cache {0} is not used, as {1}; {2}",
                    PlainText.escape(path.toString()),
                    problem,
                    consequence);
        }
    }

    private static synchronized Optional<Path> madeFolder() {
        return Optional.ofNullable(ownFolder);
    }

    private static synchronized Path ownFolder() {
        Path made = ownFolder;
        if (made == null) {
            try {
                made = Files.createTempDirectory("mscclj-cache-"); // with mode 0700
            } catch (IOException e) {
                throw new InvalidArgumentException(
                        "cannot create a private directory in " + System.getProperty("java.io.tmpdir") + " ("
                                + FileProblem.of(e) + "); let " + VARIABLE
                                + " name a directory of this user to which no other user can write",
                        e);
            }
            Path removed = made;
            Runtime.getRuntime()
                    .addShutdownHook(
                            Thread.ofPlatform().name("mscclj-cache-end").unstarted(() -> remove(removed)));
            ownFolder = made;
        }
        return made;
    }

    private static void remove(Path folder) {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path emptied, @Nullable IOException e) throws IOException {
                    Files.delete(emptied);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            LOGGER.log(Level.DEBUG, "{0} stays behind: {1}", folder, e);
        }
    }

    @Override
    public String toString() {
        return wanted.toString();
    }
}

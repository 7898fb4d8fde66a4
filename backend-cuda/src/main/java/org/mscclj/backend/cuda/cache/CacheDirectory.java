package org.mscclj.backend.cuda.cache;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.api.error.BackendException;

/** A folder of this user's for files that can be made again. Several processes may write the same file at once: readers see none or all of it. */
public final class CacheDirectory {
    /** Names the folder; otherwise {@link #THEIRS} does, or it is {@code .cache/mscclj} of the user's home. */
    public static final String VARIABLE = "MSCCLJ_CACHE_DIR";

    /** Names that of MSCCL++. Files are in folders of their own in it, named by what they are. */
    private static final String THEIRS = "MSCCLPP_CACHE_DIR";

    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path path;

    private CacheDirectory(Path path) {
        this.path = path;
    }

    /** The folder for this process. */
    public static CacheDirectory ofUser() {
        return new CacheDirectory(directory(System.getenv(), Path.of(System.getProperty("user.home"))));
    }

    static Path directory(Map<String, String> environment, Path home) {
        return Stream.of(VARIABLE, THEIRS)
                .map(variable -> environment.getOrDefault(variable, ""))
                .filter(value -> !value.isBlank())
                .map(Path::of)
                .findFirst()
                .orElseGet(() -> home.resolve(".cache", "mscclj"));
    }

    /** A given folder. */
    public static CacheDirectory of(Path path) {
        return new CacheDirectory(path);
    }

    /**
     * Makes a file with this content exist: in a folder named by its digest, so that versions never meet.
     *
     * @param kind a subfolder
     * @return the folder of the file
     */
    public Path publish(String kind, String name, byte[] content) {
        return published(kind, name, content).orElseGet(() -> {
            Path folder = folder(kind, content);
            try {
                write(folder.resolve(name), content);
            } catch (IOException e) {
                throw new BackendException(
                        "no file can be made in " + folder + "; set " + VARIABLE + " to a folder where that is allowed",
                        e);
            }
            return folder;
        });
    }

    /** The folder in which a file with this content is, as {@link #publish} would say; empty if there is no such file, or it is damaged. */
    public Optional<Path> published(String kind, String name, byte[] content) {
        Path folder = folder(kind, content);
        return read(folder.resolve(name))
                .filter(there -> Arrays.equals(there, content))
                .map(_ -> folder);
    }

    private Path folder(String kind, byte[] content) {
        return path.resolve(kind).resolve(Digest.of(content));
    }

    /** The content of a file; empty if it is missing or cannot be read. */
    public Optional<byte[]> read(String kind, String name) {
        return read(path.resolve(kind).resolve(name));
    }

    /** The content of a file, wherever it is; empty if it is missing or cannot be read. */
    public static Optional<byte[]> read(Path file) {
        try {
            return Optional.of(Files.readAllBytes(file));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /** Writes a file, or replaces it, as a whole. */
    public void write(String kind, String name, byte[] content) throws IOException {
        write(path.resolve(kind).resolve(name), content);
    }

    private static void write(Path file, byte[] content) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IOException(file + " is in no folder");
        }
        Files.createDirectories(folder, OWNER_ONLY);
        Path whole = Files.createTempFile(folder, ".", ".part");
        try {
            Files.write(whole, content);
            move(whole, file);
        } finally {
            Files.deleteIfExists(whole);
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException _) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}

package org.mscclj.gpu.cache;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.BackendException;
import org.mscclj.plan.digest.Sha256;
import org.mscclj.plan.folder.UserCache;

/**
 * The files of the backends in the {@link UserCache}, by kind. Several processes may write a file at once: readers see
 * none or all of it.
 */
public final class CacheDirectory {
    /** The environment variable that sets the folder. */
    public static final String VARIABLE = UserCache.VARIABLE;

    private static final List<String> IN_HOME = List.of(".cache", "mscclj");

    private final UserCache cache;

    private CacheDirectory(UserCache cache) {
        this.cache = cache;
    }

    /** Returns the folder for this process. */
    public static CacheDirectory ofUser() {
        return new CacheDirectory(UserCache.ofProcess(IN_HOME));
    }

    /** Returns a given folder. */
    public static CacheDirectory of(Path path) {
        return new CacheDirectory(UserCache.in(path));
    }

    /**
     * Ensures that a file with this content exists. It lies in a folder named by its digest, so that versions do not
     * collide. No other user can change the file before it is loaded.
     *
     * @param kind a subfolder
     * @return the folder of the file
     */
    public Path publish(String kind, String name, byte[] content) {
        return published(kind, name, content).orElseGet(() -> {
            try {
                return parentOf(cache.write(place(kind, name, content), content));
            } catch (IOException e) {
                throw new BackendException(
                        "no file can be made in " + cache + "; set " + VARIABLE
                                + " to a folder of this user where that is allowed, and to which no "
                                + "other user can write",
                        e);
            }
        });
    }

    /**
     * The folder of a file with this content, as {@link #publish} would return it. Empty if there is no such file, if
     * it is damaged, or if another user could change it.
     */
    public Optional<Path> published(String kind, String name, byte[] content) {
        Path place = place(kind, name, content);
        return cache.read(place)
                .filter(there -> Arrays.equals(there, content))
                .map(_ -> parentOf(cache.folder().resolve(place)));
    }

    private static Path place(String kind, String name, byte[] content) {
        return Path.of(kind, Sha256.of(content), name);
    }

    private static Path parentOf(Path file) {
        return file.resolveSibling("").toAbsolutePath().normalize();
    }

    /** The content of a file; empty if it is missing, cannot be read, or could be changed by another user. */
    public Optional<byte[]> read(String kind, String name) {
        return cache.read(Path.of(kind, name));
    }

    /** Writes or replaces a file as a whole. */
    public void write(String kind, String name, byte[] content) throws IOException {
        Path _ = cache.write(Path.of(kind, name), content);
    }
}

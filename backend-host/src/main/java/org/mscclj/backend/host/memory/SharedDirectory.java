package org.mscclj.backend.host.memory;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.mscclj.api.error.BackendException;
import org.mscclj.posix.Errno;
import org.mscclj.posix.NativeFile;

/**
 * The directory in which files of shared memory are created: a file system in memory if there is one. The files have no
 * names there.
 */
final class SharedDirectory {
    /**
     * The environment variable that names the directory; by default it is {@code /dev/shm}, or the directory for
     * temporary files.
     */
    static final String VARIABLE = "MSCCLJ_SHM_DIR";

    private static final int OWNER_ONLY = 0600;

    private final Path path;

    private SharedDirectory(Path path) {
        this.path = path;
    }

    /** The directory for this process. */
    static SharedDirectory choose() {
        Path usual = Path.of("/dev/shm");
        return new SharedDirectory(Optional.ofNullable(System.getenv(VARIABLE))
                .map(Path::of)
                .orElse(Files.isWritable(usual) ? usual : Path.of(System.getProperty("java.io.tmpdir"))));
    }

    /** The directory at a path. */
    static SharedDirectory of(Path path) {
        return new SharedDirectory(path);
    }

    /**
     * Opens a new file that has no name, so that it disappears with the last process that uses it, however that process
     * ends.
     */
    int openUnnamed() {
        int descriptor = NativeFile.open(
                path.toString(), NativeFile.O_TMPFILE | NativeFile.O_RDWR | NativeFile.O_CLOEXEC, OWNER_ONLY);
        if (descriptor == -Errno.EOPNOTSUPP || descriptor == -Errno.EISDIR) {
            descriptor = openAndUnlink();
        }
        if (descriptor < 0) {
            throw failure("no file for shared memory can be made", descriptor);
        }
        return descriptor;
    }

    /** The fallback for file systems without {@code O_TMPFILE}. */
    private int openAndUnlink() {
        Path name = path.resolve("mscclj-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
        int descriptor = NativeFile.open(
                name.toString(),
                NativeFile.O_CREAT | NativeFile.O_EXCL | NativeFile.O_RDWR | NativeFile.O_CLOEXEC,
                OWNER_ONLY);
        if (descriptor >= 0) {
            int unlinked = NativeFile.unlink(name.toString());
            if (unlinked < 0) {
                NativeFile.close(descriptor);
                return unlinked;
            }
        }
        return descriptor;
    }

    /** The free space of the file system, in bytes; other files may take it at any moment. */
    long freeBytes() {
        return path.toFile().getFreeSpace();
    }

    /** The exception for a negative result. */
    BackendException failure(String what, int result) {
        String advice = result == -Errno.ENOSPC
                ? "; it is full or too small: free space, enlarge it (containers: --shm-size), or set " + VARIABLE
                        + " to another directory, in memory if possible"
                : "; set " + VARIABLE + " to a directory where files can be made";
        return new BackendException(what + " in " + path + advice, -result, Errno.name(-result));
    }
}

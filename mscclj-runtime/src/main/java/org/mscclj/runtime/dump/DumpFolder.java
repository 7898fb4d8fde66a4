package org.mscclj.runtime.dump;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The folder for the dumps of ranks whose communicators fail.
 *
 * @param path the folder; created if it is missing
 */
public record DumpFolder(Path path) {
    /** The environment variable that names the folder. */
    public static final String VARIABLE = "MSCCLJ_DEBUG_DUMP_DIR";

    /** The system property that names the folder; it has priority over the variable. */
    public static final String PROPERTY = "mscclj.debug.dump.dir";

    private static final System.Logger LOGGER = System.getLogger(DumpFolder.class.getName());

    /** The suffix of files while they are written. */
    private static final String UNFINISHED = ".part";

    /** Returns the folder that the property or the environment of a process names; empty if they name none. */
    public static Optional<DumpFolder> of(@Nullable String property, Map<String, String> environment) {
        return Optional.ofNullable(property)
                .or(() -> Optional.ofNullable(environment.get(VARIABLE)))
                .filter(text -> !text.isBlank())
                .map(text -> new DumpFolder(Path.of(text)));
    }

    /**
     * Writes a dump when the communicator is aborted, or has lost a rank. A thread of its own writes it; the process
     * waits for that thread when it ends, some seconds at most.
     */
    public void writeWhenAborted(RankDump dump) {
        DumpThreads threads = DumpThreads.OF_PROCESS; // now, while the process does not end
        dump.abort()
                .whenSet(() -> threads.start(() -> {
                    try {
                        Path file = write(dump);
                        LOGGER.log(Level.INFO, "dumped what rank " + dump.rank() + " has launched into " + file);
                    } catch (IOException | RuntimeException e) {
                        LOGGER.log(Level.WARNING, "cannot dump into " + path + ", which " + VARIABLE + " names", e);
                    }
                }));
    }

    /**
     * Writes a dump into a new file, whose name contains communicator, rank and process. The file has another name
     * until it is complete.
     */
    public Path write(RankDump dump) throws IOException {
        Files.createDirectories(path);
        String name = "mscclj-" + dump.communicator().replaceAll("[^A-Za-z0-9.-]", "_") + "-rank" + dump.rank() + "-"
                + ProcessHandle.current().pid();
        String text = dump.toString();
        for (int number = 1; ; number++) {
            Path file = path.resolve(name + (number == 1 ? "" : "-" + number) + ".json");
            if (isWritten(file, text)) {
                return file;
            }
        }
    }

    /**
     * Writes a file, unless it is that of another communicator with an equal name. Only the writer that has created the
     * unfinished file may create the file.
     */
    private static boolean isWritten(Path file, String text) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + UNFINISHED);
        try {
            Files.createFile(unfinished);
        } catch (FileAlreadyExistsException _) {
            return false;
        }
        try {
            if (Files.exists(file)) {
                Files.delete(unfinished);
                return false;
            }
            Files.writeString(unfinished, text);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (IOException e) {
            Files.deleteIfExists(unfinished);
            throw e;
        }
    }
}

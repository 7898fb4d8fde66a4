package org.mscclj.runtime.dump;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where ranks whose communicators fail leave their dumps.
 *
 * @param path made if it is missing
 */
public record DumpFolder(Path path) {
    /** The environment variable that names the folder. */
    public static final String VARIABLE = "MSCCLJ_DEBUG_DUMP_DIR";

    /** The system property that names it; it comes before the variable. */
    public static final String PROPERTY = "mscclj.debug.dump.dir";

    private static final System.Logger LOGGER = System.getLogger(DumpFolder.class.getName());

    /** The folder that a process is told; empty if it is told none. */
    public static Optional<DumpFolder> of(@Nullable String property, Map<String, String> environment) {
        return Optional.ofNullable(property)
                .or(() -> Optional.ofNullable(environment.get(VARIABLE)))
                .filter(text -> !text.isBlank())
                .map(text -> new DumpFolder(Path.of(text)));
    }

    /** Writes a dump when the communicator is aborted, or has lost a rank: in a thread of its own, which the process waits for when it ends. */
    public void writeWhenAborted(RankDump dump) {
        dump.abort()
                .whenSet(() -> Thread.ofPlatform().name("mscclj-dump").start(() -> {
                    try {
                        Path file = write(dump);
                        LOGGER.log(Level.INFO, "dumped what rank " + dump.rank() + " has launched into " + file);
                    } catch (IOException | RuntimeException e) {
                        LOGGER.log(Level.WARNING, "cannot dump into " + path + ", which " + VARIABLE + " names", e);
                    }
                }));
    }

    /** Writes a dump into a new file, whose name says communicator, rank and process. */
    public Path write(RankDump dump) throws IOException {
        Files.createDirectories(path);
        String name = "mscclj-" + dump.communicator().replaceAll("[^A-Za-z0-9.-]", "_") + "-rank" + dump.rank() + "-"
                + ProcessHandle.current().pid();
        for (int number = 1; ; number++) {
            Path file = path.resolve(name + (number == 1 ? "" : "-" + number) + ".json");
            try {
                return Files.writeString(
                        file, dump.toString(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            } catch (FileAlreadyExistsException _) {
                // another communicator of that name
            }
        }
    }
}

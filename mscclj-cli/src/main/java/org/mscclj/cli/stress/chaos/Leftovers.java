package org.mscclj.cli.stress.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.mscclj.cli.stress.fault.FaultResult;

/** The folder for the files that the processes share. No other process uses it. */
final class Leftovers implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");

    private final Path folder;

    private Leftovers(Path folder) {
        this.folder = folder;
    }

    /** Makes a folder for them, in memory if the system has such a place. */
    static Leftovers begin() {
        try {
            return new Leftovers(Files.createTempDirectory(
                    Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir")),
                    "mscclj-chaos-",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
        } catch (IOException e) {
            throw new UncheckedIOException("no folder can be made for the files of ranks", e);
        }
    }

    /** The variables that make processes use it. */
    Map<String, String> environment() {
        return Map.of("MSCCLJ_SHM_DIR", folder.toString(), "XDG_RUNTIME_DIR", folder.toString());
    }

    /** Reports files that are left when all processes have ended: a fault each. */
    void tell(FaultResult result) {
        try {
            List<Path> left = files();
            if (!left.isEmpty()) {
                result.failed("the end", "left behind: " + left);
            }
        } catch (UncheckedIOException e) { // what is known of the cases is told nevertheless
            result.failed("the end", e.toString());
        }
    }

    private List<Path> files() {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> !file.equals(folder))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("the folder for the files of ranks cannot be read", e);
        }
    }

    @Override
    public void close() {
        try {
            for (Path file : files()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("the folder for the files of ranks cannot be removed", e);
        }
    }
}

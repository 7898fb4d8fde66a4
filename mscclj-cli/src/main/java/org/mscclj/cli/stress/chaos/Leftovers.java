package org.mscclj.cli.stress.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.mscclj.cli.stress.fault.FaultResult;

/**
 * The folder for the files that the processes share. No other process uses it. Files of ranks that were killed are
 * removed by the ranks that are left. Only a rank that was stopped before may leave the file of its rendezvous: the
 * others cannot know that it does not go on. The next job removes that.
 */
final class Leftovers implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");

    private final Path folder;
    private final Set<Long> stopped = ConcurrentHashMap.newKeySet();

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

    /** Says that a process was stopped. */
    void stopped(long process) {
        stopped.add(process);
    }

    /** Reports files that are left when all processes have ended, but for those of ranks that were stopped. */
    void tell(FaultResult result) {
        tell(result, files().stream().filter(file -> !isOfStopped(file)).toList(), "");
    }

    /** Reports files that are left when another job has begun after that. */
    void tellAfterNextJob(FaultResult result) {
        tell(result, files(), " after the next job");
    }

    private static void tell(FaultResult result, List<Path> left, String when) {
        if (!left.isEmpty()) {
            result.failed("the end", "left behind" + when + ": " + left);
        }
    }

    /**
     * The second line of the file of a rendezvous begins with the number of rank 0's process. If the file is not
     * finished, what follows its name does.
     */
    private boolean isOfStopped(Path file) {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        String name = file.getFileName().toString();
        try {
            List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
            return stopped.stream()
                    .map(process -> process + "-")
                    .anyMatch(process -> name.contains("." + process)
                            || (lines.size() > 1 && lines.get(1).startsWith(process)));
        } catch (IOException e) {
            throw new UncheckedIOException(file + " is left behind, and cannot be read", e);
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

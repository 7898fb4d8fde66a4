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
 * The folder for the files that the processes of this scenario share, and the check that none is left behind. Survivors
 * delete the files of killed ranks. Only a rank that was stopped before may leave its rendezvous file, since the others
 * cannot know that it never continues; the next job deletes that file.
 */
final class Leftovers implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");

    private final Path folder;
    private final Set<Long> stopped = ConcurrentHashMap.newKeySet();

    private Leftovers(Path folder) {
        this.folder = folder;
    }

    /** Creates the folder, in memory if the system has a file system there. */
    static Leftovers begin() {
        try {
            return new Leftovers(Files.createTempDirectory(
                    Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir")),
                    "mscclj-chaos-",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
        } catch (IOException e) {
            throw new UncheckedIOException("no folder can be created for the files of ranks", e);
        }
    }

    /** Returns the environment variables that make processes use the folder. */
    Map<String, String> environment() {
        return Map.of("MSCCLJ_SHM_DIR", folder.toString(), "XDG_RUNTIME_DIR", folder.toString());
    }

    /** Records that a process was stopped. */
    void stopped(long process) {
        stopped.add(process);
    }

    /** Reports files that remain after all processes have ended, except those of stopped ranks. */
    void report(FaultResult result) {
        report(result, files().stream().filter(file -> !isOfStopped(file)).toList(), "");
    }

    /** Reports files that remain after the start of another job. */
    void reportAfterNextJob(FaultResult result) {
        report(result, files(), " after the next job");
    }

    private static void report(FaultResult result, List<Path> left, String when) {
        if (!left.isEmpty()) {
            result.failed("the end", "left behind" + when + ": " + left);
        }
    }

    /**
     * Whether a file is the rendezvous file of a stopped rank. The process id of rank 0 starts its second line; in an
     * unfinished file it follows the name.
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
            throw new UncheckedIOException(file + " is left behind and cannot be read", e);
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
            throw new UncheckedIOException("the folder for the files of ranks cannot be deleted", e);
        }
    }
}

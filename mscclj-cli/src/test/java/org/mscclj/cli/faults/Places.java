package org.mscclj.cli.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The folders in which processes could leave files behind, with their content before. */
final class Places {
    /** Leftover files stay; the launcher of a concurrent test keeps its files while its ranks run. */
    private static final long LIMIT_NANOS = 60_000_000_000L;

    /** Ranks make no such files. Tests beside this one kill launchers, which cannot remove theirs then. */
    private static final String OF_LAUNCHERS = "mscclj-secret-";

    private final Path own;
    private final Map<Path, Set<String>> before;

    private Places(Path own, Map<Path, Set<String>> before) {
        this.own = own;
        this.before = before;
    }

    /**
     * Records the present content.
     *
     * @param own the temporary directory of the processes, which must be empty
     */
    static Places before(Path own) throws IOException {
        return new Places(own, names(own));
    }

    private static Map<Path, Set<String>> names(Path own) throws IOException {
        Map<Path, Set<String>> names = new TreeMap<>();
        names.put(own, list(own, ""));
        names.put(Path.of("/dev/shm"), list(Path.of("/dev/shm"), ""));
        // Other programs write here, too; the names of mscclj's files contain its name.
        Stream.of(Optional.of("/tmp"), Optional.ofNullable(System.getenv("XDG_RUNTIME_DIR")))
                .flatMap(Optional::stream)
                .map(Path::of)
                .filter(Files::isDirectory)
                .forEach(folder -> names.put(folder, Set.of()));
        for (Path folder : List.copyOf(names.keySet())) {
            if (names.get(folder).isEmpty() && !folder.equals(own) && !folder.equals(Path.of("/dev/shm"))) {
                names.put(folder, list(folder, "mscclj-"));
            }
        }
        return names;
    }

    private static Set<String> list(Path folder, String beginning) throws IOException {
        if (!Files.isDirectory(folder)) {
            return Set.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(beginning))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** Fails if there is a new file; files of other programs may exist there for a moment. */
    void requireNothingNew() throws IOException {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        while (!added().isEmpty() && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(50_000_000);
        }
        assertEquals(List.of(), added(), "left behind");
    }

    private List<Path> added() throws IOException {
        Map<Path, Set<String>> now = names(own);
        return now.entrySet().stream()
                .flatMap(folder -> folder.getValue().stream()
                        .filter(name -> !before.get(folder.getKey()).contains(name))
                        .map(folder.getKey()::resolve))
                .filter(path -> !path.getFileName().toString().startsWith(OF_LAUNCHERS))
                .filter(path -> !isOfRunningProcesses(path))
                .toList();
    }

    /** The folder of sockets for {@code mscclj debug} stays as long as a process uses it, this one for example. */
    private static boolean isOfRunningProcesses(Path path) {
        if (!path.getFileName().toString().endsWith("-debug")) {
            return false;
        }
        try (Stream<Path> sockets = Files.list(path)) {
            List<String> numbers = sockets.map(socket -> socket.getFileName().toString())
                    .map(name -> name.replaceAll("\\D", ""))
                    .toList();
            return !numbers.isEmpty()
                    && numbers.stream()
                            .allMatch(number -> ProcessHandle.of(Long.parseLong(number))
                                    .map(ProcessHandle::isAlive)
                                    .orElse(false));
        } catch (IOException | NumberFormatException _) {
            return false; // it is being removed, or has other files
        }
    }
}

package org.mscclj.spi.trace;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The folder of traces: a file for each plan on each rank, written when the plan's communicator is closed.
 *
 * @param path created if it is missing
 */
public record TraceFolder(Path path) {
    /** The environment variable that names the folder. */
    public static final String VARIABLE = "MSCCLJ_TRACE";

    /** The system property that names it; it takes precedence over the variable. */
    public static final String PROPERTY = "mscclj.trace";

    /** The largest number of characters of a plan's name in the name of its file; file systems allow 255 in all. */
    private static final int MAX_NAME_LENGTH = 100;

    private static final String ENDING = ".trace.json";

    /** The folder that is set for this process; empty if none is set, so that nothing is traced. */
    public static Optional<TraceFolder> ofProcess() {
        return Optional.ofNullable(System.getProperty(PROPERTY))
                .or(() -> Optional.ofNullable(System.getenv(VARIABLE)))
                .filter(text -> !text.isBlank())
                .map(text -> new TraceFolder(Path.of(text)));
    }

    /** Starts the trace of a plan on a rank. */
    public ContextTrace open(String plan, int rank) {
        return new ContextTrace(this, plan, rank);
    }

    /** Writes events into a new file, whose name has plan, rank and process. */
    Path write(String plan, int rank, List<String> lines) throws IOException {
        Files.createDirectories(path);
        String inName =
                plan.substring(0, Math.min(plan.length(), MAX_NAME_LENGTH)).replaceAll("[^A-Za-z0-9.-]", "_");
        String name = "mscclj-" + inName + "-rank" + rank + "-"
                + ProcessHandle.current().pid();
        for (int number = 1; ; number++) {
            Path file = path.resolve(name + (number == 1 ? "" : "-" + number) + ENDING);
            try {
                return Files.writeString(file, text(lines), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            } catch (FileAlreadyExistsException _) {
                // another context of that plan has this name
            }
        }
    }

    private static String text(Iterable<String> lines) {
        return TraceLines.HEAD + "\n" + String.join(",\n", lines) + "\n" + TraceLines.TAIL + "\n";
    }

    /** The traces in this folder, by name; none if there is no such folder. */
    public List<Path> traces() throws IOException {
        if (!Files.isDirectory(path)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(path)) {
            return all.filter(file -> file.toString().endsWith(ENDING)).sorted().toList();
        }
    }

    /**
     * Merges all traces of this folder into one file, and deletes them and the folder, if it has no other files.
     *
     * @return the number of traces
     */
    public int merge(Path into) throws IOException {
        List<Path> files = traces();
        Set<String> lines = new LinkedHashSet<>(); // removes repeated names of ranks and blocks
        for (Path file : files) {
            List<String> own = Files.readAllLines(file);
            own.subList(1, own.size() - 1)
                    .forEach(line -> lines.add(line.endsWith(",") ? line.substring(0, line.length() - 1) : line));
        }
        Files.writeString(into, text(lines));
        for (Path file : files) {
            Files.delete(file);
        }
        try (Stream<Path> rest = Files.isDirectory(path) ? Files.list(path) : Stream.of(into)) {
            if (rest.findAny().isEmpty()) {
                Files.delete(path);
            }
        }
        return files.size();
    }
}

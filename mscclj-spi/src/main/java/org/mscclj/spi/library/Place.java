package org.mscclj.spi.library;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A pattern of folders that may contain a library.
 *
 * @param pattern segments separated by slashes, with {@code *} for any characters of a segment; the first may be
 *     {@code ~}, the user's folder, or a variable of the environment, {@code $NAME}, and no folder matches if that is
 *     not set
 */
record Place(String pattern) {
    /**
     * The matching folders that exist; of several that match one segment, the last one by name comes first, which
     * usually is the newest.
     */
    List<Path> folders(Surroundings surroundings) {
        String[] segments = pattern.split("/", -1);
        Optional<Path> start = start(segments[0], surroundings);
        List<Path> found = start.filter(Files::isDirectory).map(List::of).orElse(List.of());
        for (int i = 1; i < segments.length; i++) {
            List<Path> deeper = new ArrayList<>();
            for (Path folder : found) {
                deeper.addAll(matching(folder, segments[i]));
            }
            found = deeper;
        }
        return found;
    }

    private static Optional<Path> start(String segment, Surroundings surroundings) {
        if (segment.isEmpty()) {
            return Optional.of(surroundings.root());
        }
        return segment.equals("~")
                ? Optional.of(surroundings.home())
                : surroundings.variable(segment.substring(1)).map(Path::of);
    }

    private static List<Path> matching(Path folder, String segment) {
        if (!segment.contains("*")) {
            Path inner = folder.resolve(segment);
            return Files.isDirectory(inner) ? List.of(inner) : List.of();
        }
        List<Path> folders = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, segment)) {
            for (Path entry : entries) {
                if (Files.isDirectory(entry)) {
                    folders.add(entry);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return List.of(); // an unreadable folder has no candidates
        }
        folders.sort(Comparator.reverseOrder());
        return folders;
    }
}

package org.mscclj.device.kernels.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * A user's source for compilers without include directories. Files of the device library take the place of the lines
 * that include them, each once, and so do the user's own headers, each time. Compiler messages about the text refer to
 * the user's files and lines.
 *
 * @param text complete, except for headers of the compiler
 * @param mayWait whether kernels may wait for other threads, blocks or ranks: whether the file of the library with
 *     waits is included, directly or not
 */
public record UserSource(String text, boolean mayWait) {
    private static final Pattern INCLUDE = Pattern.compile("\\h*#\\h*include\\h*([\"<])([^\">]*)[\">].*");
    private static final Pattern ONCE = Pattern.compile("(?m)^\\h*#\\h*pragma\\h+once\\h*$");
    private static final String LIBRARY = "mscclj/";

    /**
     * Returns a source without headers of its own.
     *
     * @param name name of the source in messages
     * @throws InvalidArgumentException if it includes a missing file below {@code mscclj/}
     */
    public static UserSource of(String name, String source) {
        return new Expansion(Optional.empty()).expand(name, source);
    }

    /**
     * Returns the source of a file. A header is found relative to the file that includes it, by {@code "quotes"}.
     *
     * @throws InvalidArgumentException if the file, a header, or a file below {@code mscclj/} cannot be read
     */
    public static UserSource of(Path file) {
        Path whole = file.toAbsolutePath().normalize();
        Path folder = Objects.requireNonNull(whole.getParent(), "a file lies in a folder");
        return new Expansion(Optional.of(folder))
                .expand(folder.relativize(whole).toString(), read(whole, "a file of source in UTF-8"));
    }

    private static String read(Path file, String allowed) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new InvalidArgumentException(
                    "source " + file + ": " + FileProblem.of(e) + "; allowed: " + allowed, e);
        }
    }

    /** The expansion of a source. */
    private static final class Expansion {
        private final StringBuilder text = new StringBuilder();
        private final Set<String> library = new LinkedHashSet<>();

        /** The headers that are being expanded, of which the innermost is the first. */
        private final Deque<Path> headers = new ArrayDeque<>();

        /** The headers that say once, whose place is their number. */
        private final List<Path> guarded = new ArrayList<>();

        private final Optional<Path> root;

        /** Begins one. The root is the folder of the source, if it has headers. */
        Expansion(Optional<Path> root) {
            this.root = root;
        }

        UserSource expand(String name, String source) {
            expand(name, source, root);
            return new UserSource(text.toString(), library.contains(DeviceLibrary.WAITING));
        }

        private void expand(String name, String source, Optional<Path> folder) {
            text.append(line(1, name));
            int number = 0;
            for (String line : source.lines().toList()) {
                number++;
                Matcher include = INCLUDE.matcher(line);
                if (!include.matches()) {
                    text.append(line).append('\n');
                } else if (include.group(2).startsWith(LIBRARY)) {
                    String path = include.group(2);
                    if (library.add(path)) {
                        text.append(line(1, path)).append(DeviceLibrary.expandFile(path, library));
                    }
                    text.append(line(number + 1, name));
                } else if (include.group(1).equals("\"") && folder.isPresent()) {
                    expandHeader(folder.get().resolve(include.group(2)).normalize(), name);
                    text.append(line(number + 1, name));
                } else {
                    text.append(line).append('\n'); // the compiler may have it
                }
            }
        }

        private void expandHeader(Path header, String includedBy) {
            if (headers.contains(header)) {
                return; // it includes itself, so that a guard leaves nothing of it
            }
            String source = read(
                    header,
                    "in a line of " + includedBy + " that includes it, files beside that file, and those of the device"
                            + " library, as mscclj/memorychannel.cuh");
            Matcher once = ONCE.matcher(source);
            boolean isGuarded = once.find();
            if (isGuarded) {
                String guard = "MSCCLJ_ONCE_" + number(header);
                text.append("#ifndef ")
                        .append(guard)
                        .append("\n#define ")
                        .append(guard)
                        .append('\n');
            }
            headers.push(header);
            expand(
                    root.orElseThrow().relativize(header).toString(),
                    once.replaceAll(""),
                    Optional.ofNullable(header.getParent()));
            headers.pop();
            if (isGuarded) {
                text.append("#endif\n");
            }
        }

        private int number(Path header) {
            if (!guarded.contains(header)) {
                guarded.add(header);
            }
            return guarded.indexOf(header);
        }

        private static String line(int number, String name) {
            return "#line " + number + " \"" + name.replace("\\", "\\\\").replace("\"", "\\\"") + "\"\n";
        }
    }
}

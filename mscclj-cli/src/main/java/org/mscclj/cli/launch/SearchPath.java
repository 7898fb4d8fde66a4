package org.mscclj.cli.launch;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** Searches PATH for programs. */
public final class SearchPath {
    private SearchPath() {}

    /** Whether a program exists: a name on PATH, or a path. */
    public static boolean finds(String program) {
        return program.contains("/")
                ? Files.isExecutable(Path.of(program))
                : Arrays.stream(Optional.ofNullable(System.getenv("PATH"))
                                .orElse("")
                                .split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}

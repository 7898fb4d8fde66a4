package org.mscclj.cli.launch;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** Where programs are found. */
public final class SearchPath {
    private SearchPath() {}

    /** Whether a program can be started by a name, on PATH, or by a path. */
    public static boolean finds(String program) {
        return program.contains("/")
                ? Files.isExecutable(Path.of(program))
                : Arrays.stream(Optional.ofNullable(System.getenv("PATH"))
                                .orElse("")
                                .split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}

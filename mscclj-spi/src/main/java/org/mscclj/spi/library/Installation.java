package org.mscclj.spi.library;

import java.util.List;
import java.util.stream.Stream;

/**
 * The folders into which installers of one kind put libraries on Linux.
 *
 * @param text describes the places, for messages
 * @param places all places, in the order of the search
 */
record Installation(String text, List<Place> places) {
    private static final List<String> TOOLKITS =
            List.of("$CUDA_HOME", "$CUDA_PATH", "/usr/local/cuda", "/usr/local/cuda-*", "/opt/cuda");

    private static final List<String> PYTHON_PREFIXES = List.of(
            "$VIRTUAL_ENV", "$CONDA_PREFIX", "~/.local", "/opt/*/.venv", "/opt/*", "/opt/.venv", "/usr/local", "/usr");

    /** Debian installs packages of its package manager into a folder of their own. */
    private static final List<String> PACKAGE_FOLDERS = List.of("site-packages", "dist-packages");

    Installation {
        places = List.copyOf(places);
    }

    static Installation cudaToolkits() {
        return new Installation(
                "the CUDA toolkits " + String.join(", ", TOOLKITS),
                TOOLKITS.stream()
                        .flatMap(toolkit -> Stream.of(toolkit + "/lib64", toolkit + "/targets/*-linux/lib"))
                        .map(Place::new)
                        .toList());
    }

    static Installation folders(String... patterns) {
        return new Installation(
                String.join(", ", patterns), Stream.of(patterns).map(Place::new).toList());
    }

    static Installation pythonPackages(String... folders) {
        return new Installation(
                String.join(" and ", folders) + " of the Python packages below " + String.join(", ", PYTHON_PREFIXES),
                PYTHON_PREFIXES.stream()
                        .flatMap(prefix -> PACKAGE_FOLDERS.stream()
                                .flatMap(packages -> Stream.of(folders)
                                        .map(folder -> prefix + "/lib/python3*/" + packages + "/" + folder)))
                        .map(Place::new)
                        .toList());
    }
}

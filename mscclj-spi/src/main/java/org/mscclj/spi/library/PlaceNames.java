package org.mscclj.spi.library;

import java.util.List;
import java.util.stream.Stream;

/** The places that installers choose on Linux. */
final class PlaceNames {
    private static final List<String> TOOLKITS =
            List.of("$CUDA_HOME", "$CUDA_PATH", "/usr/local/cuda", "/usr/local/cuda-*", "/opt/cuda");

    private static final List<String> PYTHON_PREFIXES = List.of(
            "$VIRTUAL_ENV", "$CONDA_PREFIX", "~/.local", "/opt/*/.venv", "/opt/*", "/opt/.venv", "/usr/local", "/usr");

    /** Debian keeps what its package manager installs apart. */
    private static final List<String> PACKAGE_FOLDERS = List.of("site-packages", "dist-packages");

    private PlaceNames() {}

    static List<Place> cudaToolkits() {
        return TOOLKITS.stream()
                .flatMap(toolkit -> Stream.of(toolkit + "/lib64", toolkit + "/targets/*-linux/lib"))
                .map(Place::new)
                .toList();
    }

    static List<Place> pythonPackages(String folder) {
        return PYTHON_PREFIXES.stream()
                .flatMap(prefix -> PACKAGE_FOLDERS.stream()
                        .map(packages -> new Place(prefix + "/lib/python3*/" + packages + "/" + folder)))
                .toList();
    }
}

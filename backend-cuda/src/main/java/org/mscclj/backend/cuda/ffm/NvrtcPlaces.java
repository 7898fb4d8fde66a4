package org.mscclj.backend.cuda.ffm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where NVRTC may be: in a place that is given, where the dynamic loader looks, in a CUDA toolkit, in Python packages. */
final class NvrtcPlaces {
    /** Names the file, or its folder. */
    static final String VARIABLE = "MSCCLJ_NVRTC";

    /** Names the file, for tests; before the variable. */
    static final String PROPERTY = "mscclj.nvrtc.library";

    private static final String NEWER = "libnvrtc.so.13";
    private static final String OLDER = "libnvrtc.so.12";
    private static final int DRIVER_OF_NEWER = 13_000;

    /** Best first. A driver cannot run what a newer major version compiles. */
    private static final List<String> NAMES = DriverLibrary.missing().isEmpty() && Driver.version() < DRIVER_OF_NEWER
            ? List.of(OLDER)
            : List.of(NEWER, OLDER);

    /** What to tell the user. */
    static final String MISSING = "NVRTC (" + String.join(" or ", NAMES)
            + ") not found; install it (Debian and Ubuntu: cuda-nvrtc-13-0 or cuda-nvrtc-12-8; Python: pip install"
            + " nvidia-cuda-nvrtc or nvidia-cuda-nvrtc-cu12), or set " + VARIABLE + " to the library";

    private NvrtcPlaces() {}

    /** Everything to try, in this order: files that exist, and names for the dynamic loader. */
    static List<String> candidates() {
        Optional<String> given =
                Optional.ofNullable(System.getProperty(PROPERTY)).or(() -> variable(VARIABLE));
        if (given.isPresent()) {
            Path path = Path.of(given.get()).toAbsolutePath();
            return Files.isDirectory(path) ? inFolders(List.of(path)) : List.of(path.toString());
        }
        List<String> candidates = new ArrayList<>(NAMES);
        candidates.addAll(inFolders(toolkits()));
        candidates.addAll(inFolders(pythonPackages()));
        return candidates;
    }

    private static List<Path> toolkits() {
        List<Path> roots = new ArrayList<>();
        variable("CUDA_HOME").map(Path::of).ifPresent(roots::add);
        variable("CUDA_PATH").map(Path::of).ifPresent(roots::add);
        roots.addAll(children(Path.of("/usr/local"), "cuda"));
        List<Path> folders = new ArrayList<>();
        for (Path root : roots) {
            folders.add(root.resolve("lib64"));
            folders.add(root.resolve("targets/x86_64-linux/lib"));
        }
        return folders;
    }

    private static List<Path> pythonPackages() {
        List<Path> roots = new ArrayList<>();
        variable("VIRTUAL_ENV").map(Path::of).ifPresent(roots::add);
        variable("CONDA_PREFIX").map(Path::of).ifPresent(roots::add);
        roots.add(Path.of(System.getProperty("user.home"), ".local"));
        roots.addAll(List.of(Path.of("/usr/local"), Path.of("/usr")));
        roots.addAll(children(Path.of("/opt"), ""));
        List<Path> folders = new ArrayList<>();
        for (Path root : roots) {
            for (Path python : children(root.resolve("lib"), "python3")) {
                for (String packages : List.of("site-packages", "dist-packages")) {
                    folders.add(python.resolve(packages).resolve("nvidia/cu13/lib"));
                    folders.add(python.resolve(packages).resolve("nvidia/cuda_nvrtc/lib"));
                }
            }
        }
        return folders;
    }

    private static List<String> inFolders(List<Path> folders) {
        return folders.stream()
                .flatMap(folder -> NAMES.stream().map(folder::resolve))
                .filter(Files::exists)
                .map(Path::toString)
                .toList();
    }

    /** Newest last in name, so first here. */
    private static List<Path> children(Path folder, String prefix) {
        try (Stream<Path> children = Files.list(folder)) {
            return children.filter(child -> child.getFileName().toString().startsWith(prefix))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        } catch (IOException | UncheckedIOException _) {
            return List.of();
        }
    }

    private static Optional<String> variable(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank());
    }
}

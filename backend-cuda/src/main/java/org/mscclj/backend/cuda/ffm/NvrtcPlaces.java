package org.mscclj.backend.cuda.ffm;

import java.util.List;
import java.util.Optional;
import org.mscclj.spi.library.LibrarySearch;

/**
 * Where NVRTC may be: in a place that is given, where the dynamic loader looks, in a CUDA toolkit, in Python packages.
 */
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

    private static final LibrarySearch SEARCH = LibrarySearch.named(NAMES.toArray(String[]::new))
            .variables(VARIABLE)
            .cudaToolkits()
            .pythonPackages("nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib");

    /** What to tell the user. */
    static final String MISSING = "NVRTC: " + SEARCH.notFound()
            + "; install it (Debian and Ubuntu: cuda-nvrtc-13-0 or cuda-nvrtc-12-8; Python: pip install"
            + " nvidia-cuda-nvrtc or nvidia-cuda-nvrtc-cu12), or set " + VARIABLE + " to the library";

    private NvrtcPlaces() {}

    /** Everything to try, in this order: files that exist, and names for the dynamic loader. */
    static List<String> candidates() {
        return Optional.ofNullable(System.getProperty(PROPERTY)).map(List::of).orElseGet(SEARCH::candidates);
    }
}

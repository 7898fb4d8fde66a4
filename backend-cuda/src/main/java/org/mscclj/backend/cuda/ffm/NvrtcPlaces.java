package org.mscclj.backend.cuda.ffm;

import java.util.List;
import java.util.Optional;
import org.mscclj.spi.library.LibrarySearch;

/** The places of NVRTC: a place that the user sets, the dynamic loader's folders, a CUDA toolkit, Python packages. */
final class NvrtcPlaces {
    /** The environment variable that sets the file, or its folder. */
    static final String VARIABLE = "MSCCLJ_NVRTC";

    /** The system property that sets the file, for tests. Overrides the variable. */
    static final String PROPERTY = "mscclj.nvrtc.library";

    private static final String NEWER = "libnvrtc.so.13";
    private static final String OLDER = "libnvrtc.so.12";
    private static final int DRIVER_OF_NEWER = 13_000;

    /** Best first. A driver cannot run the code of a newer major version. */
    private static final List<String> NAMES = DriverLibrary.missing().isEmpty() && Driver.version() < DRIVER_OF_NEWER
            ? List.of(OLDER)
            : List.of(NEWER, OLDER);

    private static final LibrarySearch SEARCH = LibrarySearch.named(NAMES.toArray(String[]::new))
            .variables(VARIABLE)
            .cudaToolkits()
            .pythonPackages("nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib");

    /** The message for users if NVRTC is missing. */
    static final String MISSING = "NVRTC: " + SEARCH.notFound()
            + "; install it (Debian and Ubuntu: cuda-nvrtc-13-0 or cuda-nvrtc-12-8; Python: pip install"
            + " nvidia-cuda-nvrtc or nvidia-cuda-nvrtc-cu12), or set " + VARIABLE + " to the library";

    private NvrtcPlaces() {}

    /** All candidates in their order: files that exist, and names for the dynamic loader. */
    static List<String> candidates() {
        return Optional.ofNullable(System.getProperty(PROPERTY)).map(List::of).orElseGet(SEARCH::candidates);
    }
}

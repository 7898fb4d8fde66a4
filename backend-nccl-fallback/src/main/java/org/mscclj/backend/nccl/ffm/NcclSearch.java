package org.mscclj.backend.nccl.ffm;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.spi.library.LibrarySearch;

/**
 * Where the library is searched.
 *
 * <p>A variable that is set decides. Otherwise NCCL comes before RCCL, and the loader's path before the folders of
 * installers. Python's packages are searched on request only: the copy that PyTorch brings has the version that PyTorch
 * needs, not the one that the administrator of the machine installed.
 *
 * @param searches the searches, the preferred one first
 */
record NcclSearch(List<LibrarySearch> searches) {
    /** The value of {@code MSCCLJ_NCCL_LIB} that requests the copy of Python's packages. */
    static final String PYTHON = "python";

    private static final String VARIABLE = "MSCCLJ_NCCL_LIB";

    private static final String NCCL = "libnccl.so.2";

    private static final String RCCL = "librccl.so.1";

    private static final String[] VARIABLES = {VARIABLE, "MSCCLPP_NCCL_LIB_PATH"};

    /** Where distributions install NCCL, for processes in which another library has its name. */
    private static final String[] SYSTEM_FOLDERS = {"/usr/lib/*-linux-gnu", "/usr/lib64", "/usr/local/lib"};

    NcclSearch {
        searches = List.copyOf(searches);
    }

    /** Returns the search that the environment of the process asks for. */
    static NcclSearch ofProcess() {
        return requested(Optional.ofNullable(System.getenv(VARIABLE)).orElse(""));
    }

    /** Returns the search for a value of {@code MSCCLJ_NCCL_LIB}. */
    static NcclSearch requested(String value) {
        if (value.strip().equals(PYTHON)) {
            return new NcclSearch(
                    List.of(LibrarySearch.named(NCCL).withoutLoader().pythonPackages("nvidia/nccl/lib")));
        }
        return new NcclSearch(List.of(
                LibrarySearch.named(NCCL)
                        .variables(VARIABLES)
                        .folders(SYSTEM_FOLDERS)
                        .cudaToolkits(),
                LibrarySearch.named(RCCL).variables(VARIABLES).folders("/opt/rocm/lib", "/opt/rocm-*/lib")));
    }

    /** Returns all candidates in their order; a bare name has no slash. */
    Stream<String> candidates() {
        return searches.stream().flatMap(search -> search.candidates().stream()).distinct();
    }

    /** Whether the loader searches a candidate, so that it may be a library that the process has loaded already. */
    static boolean isBare(String candidate) {
        return candidate.indexOf('/') < 0;
    }

    /** Describes what was searched for and where; ends without a full stop. */
    String notFound() {
        return searches.getFirst().notFound();
    }
}

package org.mscclj.backend.nccl.ffm;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.spi.library.LibrarySearch;

/**
 * Where the library is searched.
 *
 * <p>A variable that is set decides, for both products. Otherwise the loader's path comes before the folders of
 * installers. Python's packages are searched on request only: the copy that PyTorch brings has the version that PyTorch
 * needs, not the one that the administrator of the machine installed.
 *
 * @param product what is searched
 * @param searches the searches, the preferred one first
 */
record NcclSearch(Product product, List<LibrarySearch> searches) {
    /** The value of {@code MSCCLJ_NCCL_LIB} that requests the copy of Python's packages. */
    static final String PYTHON = "python";

    private static final String VARIABLE = "MSCCLJ_NCCL_LIB";

    private static final String[] VARIABLES = {VARIABLE, "MSCCLPP_NCCL_LIB_PATH"};

    /** Where distributions install NCCL, for processes in which another library has its name. */
    private static final String[] SYSTEM_FOLDERS = {"/usr/lib/*-linux-gnu", "/usr/lib64", "/usr/local/lib"};

    private static final String[] ROCM_FOLDERS = {"/opt/rocm/lib", "/opt/rocm-*/lib"};

    /** The name of RCCL in PyTorch's packages for ROCm. */
    private static final String PACKED_RCCL = "librccl.so";

    NcclSearch {
        searches = List.copyOf(searches);
    }

    /** Returns the search that the environment of the process asks for. */
    static NcclSearch ofProcess(Product product) {
        return requested(product, Optional.ofNullable(System.getenv(VARIABLE)).orElse(""));
    }

    /** Returns the search for a value of {@code MSCCLJ_NCCL_LIB}. */
    static NcclSearch requested(Product product, String value) {
        boolean ofPython = value.strip().equals(PYTHON);
        return new NcclSearch(
                product,
                List.of(
                        switch (product) {
                            case NCCL ->
                                ofPython
                                        ? inPackages(product.file()).pythonPackages("nvidia/nccl/lib")
                                        : installed(product)
                                                .folders(SYSTEM_FOLDERS)
                                                .cudaToolkits();
                            case RCCL ->
                                ofPython
                                        ? inPackages(product.file(), PACKED_RCCL)
                                                .pythonPackages("torch/lib")
                                        : installed(product).folders(ROCM_FOLDERS);
                        }));
    }

    private static LibrarySearch installed(Product product) {
        return LibrarySearch.named(product.file()).variables(VARIABLES);
    }

    private static LibrarySearch inPackages(String... names) {
        return LibrarySearch.named(names).withoutLoader();
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

package org.mscclj.backend.nccl.ffm;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.List;
import java.util.Optional;
import org.mscclj.posix.NativeAccess;
import org.mscclj.spi.library.LibrarySearch;

/**
 * {@code libnccl.so.2} as it is installed: loaded once, at the first use, and never unloaded.
 *
 * @param path the loaded library: its path, or its name for the dynamic linker
 * @param symbols its functions
 * @param problem why NCCL cannot be used; empty if it can be used
 */
record NcclLibrary(String path, SymbolLookup symbols, Optional<String> problem) {
    private static final String NAME = "libnccl.so.2";

    private static final String NOT_ALLOWED = "Java does not allow native calls; start it with"
            + " --enable-native-access=org.mscclj.posix,org.mscclj.backend.nccl (ALL-UNNAMED on the class path)";

    private static final String INSTALL =
            "; install NCCL 2.10 or later (Debian and Ubuntu: libnccl2; pip: nvidia-nccl-cu13), or set"
                    + " MSCCLJ_NCCL_LIB to the file";

    private static final List<String> REQUIRED = List.of(
            "ncclGetVersion",
            "ncclGetUniqueId",
            "ncclCommInitRank",
            "ncclCommDestroy",
            "ncclCommAbort",
            "ncclGetErrorString",
            "ncclGroupStart",
            "ncclGroupEnd",
            "ncclAllReduce",
            "ncclAllGather",
            "ncclReduceScatter",
            "ncclBroadcast",
            "ncclReduce",
            "ncclSend",
            "ncclRecv");

    private static final class Installed {
        static final NcclLibrary LIBRARY = load(search());

        private Installed() {}
    }

    /** Returns the library of this process. */
    static NcclLibrary installed() {
        return Installed.LIBRARY;
    }

    private static LibrarySearch search() {
        return LibrarySearch.named(NAME)
                .variables("MSCCLJ_NCCL_LIB", "MSCCLPP_NCCL_LIB_PATH")
                .cudaToolkits()
                .pythonPackages("nvidia/nccl/lib");
    }

    /** Loads the first library of a search path. Never throws: {@link #problem} describes a failure. */
    static NcclLibrary load(LibrarySearch search) {
        if (NativeAccess.refusal().isPresent()) {
            return unusable(NAME, NOT_ALLOWED);
        }
        try {
            MulticastDefault.apply();
            return search.first(NcclLibrary::open).orElseGet(() -> unusable(NAME, search.notFound() + INSTALL));
        } catch (IllegalCallerException e) {
            return unusable(NAME, NOT_ALLOWED);
        }
    }

    @SuppressWarnings("restricted") // this class loads a native library
    private static Optional<NcclLibrary> open(String candidate) {
        SymbolLookup symbols;
        try {
            symbols = SymbolLookup.libraryLookup(candidate, Arena.global());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        Optional<String> missing = REQUIRED.stream()
                .filter(name -> symbols.find(name).isEmpty())
                .findFirst()
                .map(name -> candidate + " has no " + name + INSTALL);
        return Optional.of(new NcclLibrary(candidate, symbols, missing));
    }

    private static NcclLibrary unusable(String path, String problem) {
        return new NcclLibrary(path, _ -> Optional.empty(), Optional.of(problem));
    }

    /** Whether the library has a function that older versions lack. */
    boolean has(String function) {
        return symbols.find(function).isPresent();
    }
}

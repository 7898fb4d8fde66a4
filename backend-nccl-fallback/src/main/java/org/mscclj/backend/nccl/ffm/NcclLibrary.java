package org.mscclj.backend.nccl.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.posix.ForeignCalls;
import org.mscclj.posix.NativeAccess;

/**
 * NCCL or RCCL as it is installed. Each library of the process is loaded once, at the first use, and never unloaded.
 * Its names do not become visible to other libraries of the process ({@code RTLD_LOCAL}).
 *
 * @param path the loaded library: its path, or its name for the dynamic linker; empty if none can be used
 * @param symbols its functions
 * @param product which of the two it is
 * @param version its version
 * @param problem why it cannot be used; empty if it can be used
 */
public record NcclLibrary(
        String path, SymbolLookup symbols, Product product, NcclVersion version, Optional<String> problem) {
    private static final NcclVersion UNKNOWN = new NcclVersion(0);

    private static final String NOT_ALLOWED = "Java does not allow native calls; start it with"
            + " --enable-native-access=org.mscclj.posix,org.mscclj.backend.nccl (ALL-UNNAMED on the class path)";

    /** Symbols of libraries that stand in for NCCL and call it: that of mscclj, and that of MSCCL++. */
    private static final List<String> OF_STAND_INS =
            List.of("mscclj_stands_in_for_nccl", "mscclppNcclOps", "mscclppNcclDlHandle");

    private static final class InstalledNccl {
        static final NcclLibrary LIBRARY = load(NcclSearch.ofProcess(Product.NCCL));

        private InstalledNccl() {}
    }

    private static final class InstalledRccl {
        static final NcclLibrary LIBRARY = load(NcclSearch.ofProcess(Product.RCCL));

        private InstalledRccl() {}
    }

    /** Returns the library of this process that is a product. Loads it. */
    public static NcclLibrary installed(Product product) {
        return switch (product) {
            case NCCL -> InstalledNccl.LIBRARY;
            case RCCL -> InstalledRccl.LIBRARY;
        };
    }

    /**
     * Loads the first library of a search that can be used. Never throws: {@link #problem} describes a failure, with
     * the reason for each library that was found.
     */
    static NcclLibrary load(NcclSearch search) {
        if (NativeAccess.refusal().isPresent()) {
            return unusable(search.product(), NOT_ALLOWED);
        }
        try {
            NcclDefault.apply();
            List<String> refusals = new ArrayList<>();
            List<String> passedOver = new ArrayList<>();
            return search.candidates()
                    .flatMap(candidate -> open(search.product(), candidate, refusals, passedOver).stream())
                    .findFirst()
                    .orElseGet(() -> unusable(
                            search.product(),
                            (refusals.isEmpty() ? search.notFound() : String.join("; ", refusals))
                                    + String.join("", passedOver) + "; "
                                    + search.product().install()));
        } catch (IllegalCallerException e) {
            return unusable(search.product(), NOT_ALLOWED);
        }
    }

    /**
     * Opens a candidate; empty if it cannot be used, so that the search goes on.
     *
     * @param refusals receives why a library that was found cannot be used
     * @param passedOver receives why the candidate is none: the loader refuses the file, or finds a library by the bare
     *     name that stands in for NCCL
     */
    @SuppressWarnings("restricted") // this class loads a native library
    private static Optional<NcclLibrary> open(
            Product product, String candidate, List<String> refusals, List<String> passedOver) {
        SymbolLookup symbols;
        try {
            symbols = SymbolLookup.libraryLookup(candidate, Arena.global());
        } catch (IllegalArgumentException e) {
            if (!NcclSearch.isBare(candidate) && Files.exists(Path.of(candidate))) {
                passedOver.add("; the loader refuses " + candidate + " (ldd shows which libraries it lacks)");
            }
            return Optional.empty();
        }
        if (NcclSearch.isBare(candidate) && standsIn(symbols)) {
            passedOver.add("; in this process " + candidate + " names a library that stands in for NCCL");
            return Optional.empty();
        }
        Optional<String> refusal = refusal(product, symbols);
        if (refusal.isPresent()) {
            refusals.add(candidate + " " + refusal.get());
            return Optional.empty();
        }
        NcclVersion version = version(symbols);
        if (version.equals(UNKNOWN)) {
            refusals.add(candidate + " does not tell its version: ncclGetVersion fails");
            return Optional.empty();
        }
        return Optional.of(new NcclLibrary(candidate, symbols, product, version, Optional.empty()));
    }

    /**
     * Returns whether a library stands in for NCCL. It calls NCCL or this process, so that its communicators cannot
     * serve as a fallback.
     */
    private static boolean standsIn(SymbolLookup symbols) {
        return OF_STAND_INS.stream().anyMatch(name -> symbols.find(name).isPresent());
    }

    /** Returns why a library cannot be used as a product, behind its name; empty if it can. */
    private static Optional<String> refusal(Product product, SymbolLookup symbols) {
        if (standsIn(symbols)) {
            return Optional.of("stands in for NCCL, and is not NCCL itself");
        }
        Optional<String> missing = Arrays.stream(NcclFunction.values())
                .filter(NcclFunction::isRequired)
                .map(NcclFunction::symbol)
                .filter(name -> symbols.find(name).isEmpty())
                .findFirst();
        if (missing.isPresent()) {
            return Optional.of("has no " + missing.get());
        }
        Product found = Product.of(symbols);
        return found == product
                ? Optional.empty()
                : Optional.of("is " + found + ", which works on GPUs of " + found.vendor() + " only");
    }

    private static NcclLibrary unusable(Product product, String problem) {
        return new NcclLibrary("", _ -> Optional.empty(), product, UNKNOWN, Optional.of(problem));
    }

    @SuppressWarnings("restricted") // this package calls native code
    private static NcclVersion version(SymbolLookup symbols) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment version = arena.allocate(JAVA_INT);
            int result = (int) Linker.nativeLinker()
                    .downcallHandle(
                            symbols.findOrThrow(NcclFunction.GET_VERSION.symbol()),
                            FunctionDescriptor.of(JAVA_INT, ADDRESS))
                    .invokeExact(version);
            return result == NcclResult.SUCCESS ? new NcclVersion(version.get(JAVA_INT, 0)) : UNKNOWN;
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Whether the library has a function. */
    public boolean has(NcclFunction function) {
        return symbols.find(function.symbol()).isPresent();
    }

    /** Returns why the library has no such function, and what to do; empty if it has it. */
    public Optional<String> refusal(NcclFunction function) {
        if (has(function)) {
            return Optional.empty();
        }
        return Optional.of(
                version.isAtLeast(function.since())
                        ? path + " has no " + function.symbol() + ", which " + product + " " + version
                                + " usually has; install the library of the vendor"
                        : function.symbol() + " needs " + product + " \u2265 " + function.since() + ", found " + version
                                + "; install a later one");
    }

    /** Returns the exception for the use of a function that the library does not have. */
    UnsupportedException missing(NcclFunction function) {
        return new UnsupportedException(refusal(function).orElseThrow());
    }

    /**
     * Checks that the library has a function.
     *
     * @throws UnsupportedException if it has not
     */
    public void require(NcclFunction function) {
        if (!has(function)) {
            throw missing(function);
        }
    }
}

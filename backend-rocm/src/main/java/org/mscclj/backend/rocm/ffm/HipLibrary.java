package org.mscclj.backend.rocm.ffm;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.posix.IntCall;
import org.mscclj.posix.NativeLibrary;
import org.mscclj.posix.TextCall;
import org.mscclj.spi.library.LibrarySearch;

/** The library of HIP: a place that the user sets, the loader's folders, or those of ROCm. */
public final class HipLibrary {
    /** The environment variable that sets the file, or its folder. */
    public static final String VARIABLE = "MSCCLJ_HIP_LIB";

    /** The system property that sets the file, for tests. Overrides the variable. */
    public static final String PROPERTY = "mscclj.hip.library";

    /** Folders of ROCm, which its packages do not always make known to the loader. */
    static final String[] FOLDERS = {"/opt/rocm/lib", "/opt/rocm-*/lib"};

    private static final LibrarySearch SEARCH = LibrarySearch.named(
                    "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5")
            .variables(VARIABLE)
            .folders(FOLDERS);

    private static final String MISSING =
            SEARCH.notFound() + "; install ROCm 5.6 or newer, or set " + VARIABLE + " to the library";

    private static final NativeLibrary LIBRARY = NativeLibrary.find(
            Optional.ofNullable(System.getProperty(PROPERTY)).map(List::of).orElseGet(SEARCH::candidates),
            MISSING,
            UnsupportedException::new);

    private HipLibrary() {}

    /** The reason why there is no library; empty if there is one. */
    public static Optional<String> missing() {
        return where().isPresent() ? Optional.empty() : Optional.of(MISSING);
    }

    /** The file or the name by which the library was found. */
    static Optional<String> where() {
        return LIBRARY.where();
    }

    /** Whether this version of the library has a function. */
    public static boolean has(String function) {
        return LIBRARY.has(function);
    }

    static IntCall call(String function, MemoryLayout... parameters) {
        return LIBRARY.call(function, parameters);
    }

    static MethodHandle bind(String function, FunctionDescriptor descriptor) {
        return LIBRARY.bind(function, descriptor);
    }

    static TextCall text(String function) {
        return LIBRARY.text(function);
    }
}

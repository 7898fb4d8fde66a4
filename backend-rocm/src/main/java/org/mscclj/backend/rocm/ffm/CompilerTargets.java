package org.mscclj.backend.rocm.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.posix.IntCall;
import org.mscclj.posix.NativeLibrary;
import org.mscclj.posix.TextCall;
import org.mscclj.spi.library.LibrarySearch;

/**
 * The targets that hipRTC knows, as {@code gfx90a}. It ends the process if it is asked for another one, so it is asked
 * for these only. The list comes from {@code libamd_comgr}, the library by which hipRTC itself compiles: the process
 * has loaded it together with hipRTC.
 */
public final class CompilerTargets {
    /** The system property that sets the file, for tests. */
    static final String PROPERTY = "mscclj.comgr.library";

    /** The first version of HIP that uses the newer library. */
    private static final int NEWER_SINCE = 7;

    private static final String NAME = HipRuntime.major() >= NEWER_SINCE ? "libamd_comgr.so.3" : "libamd_comgr.so.2";

    private static final LibrarySearch SEARCH = LibrarySearch.named(NAME).folders(HipLibrary.FOLDERS);

    private static final NativeLibrary LIBRARY = NativeLibrary.find(
            System.getProperty(PROPERTY) == null ? SEARCH.candidates() : List.of(System.getProperty(PROPERTY)),
            SEARCH.notFound() + "; install ROCm's package comgr (Debian and Ubuntu: libamd-comgr2)",
            UnsupportedException::new);

    private static final IntCall COUNT = LIBRARY.call("amd_comgr_get_isa_count", ADDRESS);
    private static final IntCall ISA_NAME = LIBRARY.call("amd_comgr_get_isa_name", JAVA_LONG, ADDRESS);

    private CompilerTargets() {}

    /** Read once, at the first use. */
    private static final class Known {
        static final Set<String> TARGETS = LIBRARY.where().isPresent() ? read() : Set.of();
    }

    /** The targets; empty if they cannot be read. */
    public static Set<String> known() {
        return Known.TARGETS;
    }

    /** The names end with the target, as {@code amdgcn-amd-amdhsa--gfx90a}. */
    private static Set<String> read() {
        Set<String> targets = new TreeSet<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(JAVA_LONG);
            long count = COUNT.call(value) == 0 ? value.get(JAVA_LONG, 0) : 0;
            for (long i = 0; i < count; i++) {
                if (ISA_NAME.call(i, value) == 0) {
                    String name = TextCall.at(value.get(ADDRESS, 0));
                    targets.add(name.substring(name.lastIndexOf('-') + 1));
                }
            }
        }
        return Set.copyOf(targets);
    }
}

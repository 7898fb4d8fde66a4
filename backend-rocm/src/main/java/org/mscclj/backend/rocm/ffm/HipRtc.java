package org.mscclj.backend.rocm.ffm;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.gpu.library.CompilerLibrary;
import org.mscclj.posix.NativeLibrary;
import org.mscclj.spi.library.LibrarySearch;

/**
 * hipRTC: a library of its own beside that of HIP, or the library of HIP itself, which has its functions before HIP 7.
 */
public final class HipRtc {
    /** The environment variable that sets the file, or its folder. */
    private static final String VARIABLE = "MSCCLJ_HIPRTC_LIB";

    /** The system property that sets the file, for tests. Overrides the variable. */
    static final String PROPERTY = "mscclj.hiprtc.library";

    private static final LibrarySearch SEARCH = LibrarySearch.named("libhiprtc.so." + HipRuntime.major())
            .variables(VARIABLE)
            .folders(HipLibrary.FOLDERS);

    private static final String MISSING =
            "hipRTC: " + SEARCH.notFound() + "; install it (ROCm's packages: hip-runtime-amd"
                    + "; Debian and Ubuntu: libamdhip64-5 has it), or set " + VARIABLE + " to the library";

    /** Its functions. */
    public static final CompilerLibrary LIBRARY =
            new CompilerLibrary(NativeLibrary.find(candidates(), MISSING, UnsupportedException::new), "hiprtc", "Code");

    private HipRtc() {}

    private static List<String> candidates() {
        String named = System.getProperty(PROPERTY);
        if (named != null) {
            return List.of(named);
        }
        List<String> candidates = new ArrayList<>(SEARCH.candidates());
        Optional<String> hip = HipLibrary.where().filter(_ -> HipLibrary.has("hiprtcCompileProgram"));
        if (System.getenv(VARIABLE) == null) {
            hip.ifPresent(candidates::add);
        }
        return candidates;
    }
}

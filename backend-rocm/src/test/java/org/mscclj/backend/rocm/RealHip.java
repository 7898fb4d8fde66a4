package org.mscclj.backend.rocm;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.mscclj.backend.rocm.ffm.HipLibrary;

/** The library of HIP that is installed on this machine. No GPU is needed. */
public final class RealHip {
    private static final String INSTALL = "; on Debian: apt-get install --no-install-recommends libamdhip64-5";

    private RealHip() {}

    /** Skips the test, with the reason, if the library is not installed. */
    public static void require() {
        assumeTrue(
                HipLibrary.missing().isEmpty(),
                () -> HipLibrary.missing().orElseThrow() + ": the bindings are not tried with HIP" + INSTALL);
    }
}

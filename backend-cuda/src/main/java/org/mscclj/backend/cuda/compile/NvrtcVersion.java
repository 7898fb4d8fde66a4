package org.mscclj.backend.cuda.compile;

import java.util.Optional;
import org.mscclj.backend.cuda.ffm.Nvrtc;

/** Which NVRTC there is. */
public final class NvrtcVersion {
    private NvrtcVersion() {}

    /** Its version; empty if there is none. */
    public static Optional<String> found() {
        return unavailable().isPresent() ? Optional.empty() : Optional.of(Nvrtc.version());
    }

    /** Why there is none, in words for users; empty if there is. */
    public static Optional<String> unavailable() {
        return Nvrtc.missing();
    }
}

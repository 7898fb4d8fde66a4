package org.mscclj.backend.rocm.driver;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.rocm.ffm.CompilerTargets;
import org.mscclj.backend.rocm.ffm.HipRtc;
import org.mscclj.backend.rocm.ffm.HipRuntime;
import org.mscclj.gpu.driver.RuntimeCompiler;
import org.mscclj.gpu.library.LibraryCompiler;

/**
 * Compiles by hipRTC, for targets that it knows: it ends the process if it is asked for another one. The name has the
 * version of HIP, since that of hipRTC is 9.0 always.
 */
public final class HipRtcCompiler extends LibraryCompiler {
    /** The only instance. */
    public static final RuntimeCompiler INSTANCE = new HipRtcCompiler();

    /** The option that names the target. */
    private static final String TARGET = "--offload-arch=";

    private HipRtcCompiler() {
        super(() -> HipRtc.LIBRARY, HipRtcCompiler::title);
    }

    private static String title() {
        return "hipRTC of HIP " + HipRuntime.version();
    }

    @Override
    public List<String> options(String architecture) {
        return List.of(TARGET + architecture, "-std=c++17", "-O3");
    }

    @Override
    public byte[] compile(String name, String source, List<String> options) {
        for (String option : options) {
            if (option.startsWith(TARGET)) {
                refusal(option.substring(TARGET.length())).ifPresent(reason -> {
                    throw new UnsupportedException(name + " is not compiled: " + reason);
                });
            }
        }
        return super.compile(name, source, options);
    }

    /** The reason why hipRTC has no code for an architecture; empty if it has. */
    static Optional<String> refusal(String architecture) {
        Set<String> known = CompilerTargets.known();
        if (known.contains(architecture)) {
            return Optional.empty();
        }
        return Optional.of(title() + " does not know " + architecture + ", but "
                + (known.isEmpty() ? "no target, since libamd_comgr is not found" : new TreeSet<>(known))
                + "; install a newer version of ROCm");
    }
}

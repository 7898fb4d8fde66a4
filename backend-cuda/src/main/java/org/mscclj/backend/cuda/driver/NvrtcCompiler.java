package org.mscclj.backend.cuda.driver;

import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.cuda.ffm.Nvrtc;
import org.mscclj.gpu.driver.RuntimeCompiler;
import org.mscclj.gpu.library.SourceCompiler;

/** Compiles by NVRTC. */
public final class NvrtcCompiler implements RuntimeCompiler {
    /** The only instance: it has no state. */
    public static final RuntimeCompiler INSTANCE = new NvrtcCompiler();

    private NvrtcCompiler() {}

    /** Read once, at the first use, since options need no compiler. */
    private static final class Loaded {
        static final String NAME = "NVRTC " + Nvrtc.LIBRARY.version();
        static final SourceCompiler COMPILER = new SourceCompiler(Nvrtc.LIBRARY, NAME);
    }

    @Override
    public Optional<String> unavailable() {
        return Nvrtc.LIBRARY.missing();
    }

    @Override
    public String name() {
        unavailable().ifPresent(reason -> {
            throw new UnsupportedException(reason);
        });
        return Loaded.NAME;
    }

    @Override
    public List<String> options(String architecture) {
        return List.of("--gpu-architecture=" + architecture, "-std=c++17", "-default-device");
    }

    @Override
    public byte[] compile(String name, String source, List<String> options) {
        return Loaded.COMPILER.compile(name, source, options);
    }
}

package org.mscclj.backend.cuda.driver;

import java.util.List;
import org.mscclj.backend.cuda.ffm.Nvrtc;
import org.mscclj.gpu.driver.RuntimeCompiler;
import org.mscclj.gpu.library.LibraryCompiler;

/** Compiles by NVRTC. */
public final class NvrtcCompiler extends LibraryCompiler {
    /** The only instance. */
    public static final RuntimeCompiler INSTANCE = new NvrtcCompiler();

    private NvrtcCompiler() {
        super(() -> Nvrtc.LIBRARY, () -> "NVRTC " + Nvrtc.LIBRARY.version());
    }

    @Override
    public List<String> options(String architecture) {
        return List.of("--gpu-architecture=" + architecture, "-std=c++17", "-default-device");
    }
}

package org.mscclj.backend.rocm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.mscclj.backend.rocm.ffm.HipLibrary;

/** Emulated AMD GPUs, by a HIP that is CUDA underneath. Two GPUs, in a VM of its own. */
public final class EmulatedRocm {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path LIBRARIES = Path.of("target/emulation").toAbsolutePath();

    private EmulatedRocm() {}

    /** Builds the libraries. Skips the test if there is no compiler. */
    public static void require() throws IOException, InterruptedException {
        CommandLine.requireCompiler("cc");
        CommandLine.requireCompiler("c++");
        CommandLine.run(List.of(ROOT.resolve("config/emulation/libraries").toString(), LIBRARIES.toString()), Map.of());
    }

    /** Runs a class of the tests on the emulated GPUs, and returns the last line that it has written. */
    public static String vm(Class<?> main) throws IOException, InterruptedException {
        String hip = LIBRARIES.resolve("libamdhip64.so.6").toString();
        Map<String, String> environment = Map.of(
                "HIP_ON_CUDA_DRIVER", LIBRARIES.resolve("libcuda.so.1").toString(),
                "HIP_ON_CUDA_NVRTC", LIBRARIES.resolve("libnvrtc.so.13").toString(),
                "EMULATION_DIR", ROOT.resolve("backend-cuda/src/test/cpp").toString(),
                "STANDIN_MULTIPROCESSORS", "132");
        return CommandLine.vm(
                main,
                environment,
                "-D" + HipLibrary.PROPERTY + "=" + hip,
                "-Dmscclj.hiprtc.library=" + hip,
                "-Dmscclj.comgr.library=" + hip);
    }
}

package org.mscclj.gpu.multicast;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.mscclj.backend.cuda.standin.ChildJvm;

/** Emulated GPUs, whose kernels run, for child VMs: their libraries are those of {@code config/emulation}. */
final class EmulatedDriver {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path FOLDER = Path.of("target", "emulation").toAbsolutePath();

    private EmulatedDriver() {}

    /** Builds the libraries; skips the test where GPUs cannot be emulated. */
    static synchronized void require() throws IOException, InterruptedException {
        assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64")
                        && Stream.of("cc", "c++").allMatch(EmulatedDriver::isOnPath),
                "GPUs are emulated on Linux on x86_64, with the compilers cc and c++");
        Process building = new ProcessBuilder(
                        ROOT.resolve("config/emulation/libraries").toString(), FOLDER.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(building.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (building.waitFor() != 0) {
            throw new IllegalStateException(output);
        }
        Files.createDirectories(FOLDER.resolve("objects"));
    }

    private static boolean isOnPath(String tool) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
    }

    /** The stand-in for the driver. */
    static Path driver() {
        return FOLDER.resolve("libcuda.so.1");
    }

    /** Starts a VM with a number of GPUs. */
    static ChildJvm start(Class<?> main, int gpus, Map<String, String> variables, String... arguments) {
        Map<String, String> all = new HashMap<>(Map.of(
                "EMULATION_DIR", ROOT.resolve("backend-cuda/src/test/cpp").toString(),
                "MSCCLJ_CACHE_DIR", FOLDER.resolve("cache").toString(),
                "STANDIN_DEVICES", Integer.toString(gpus),
                "STANDIN_MULTIPROCESSORS", "132"));
        all.putAll(variables);
        return new ChildJvm(
                main,
                List.of(
                        "-Dmscclj.cuda.library=" + driver(),
                        "-Dmscclj.nvrtc.library=" + FOLDER.resolve("libnvrtc.so.13")),
                all,
                arguments);
    }
}

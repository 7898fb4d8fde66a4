package org.mscclj.cli.emulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.mscclj.cli.CommandLineRun;

/**
 * The libraries that emulate GPUs, and the one that stands in for NCCL and moves data between them, for child JVMs.
 * They are built once, by {@code config/emulation/libraries}.
 */
public final class EmulatedGpus {
    private static final Path FOLDER = Path.of("target", "emulation").toAbsolutePath();

    private static boolean built;

    private EmulatedGpus() {}

    /** Skips the test where GPUs cannot be emulated: that needs Linux on x86_64, and C and C++ compilers. */
    public static synchronized void require() throws IOException, InterruptedException {
        assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "GPUs are emulated on Linux on x86_64 only");
        assumeTrue(
                List.of("cc", "c++").stream().allMatch(EmulatedGpus::isOnPath),
                "there is no C compiler (cc) or no C++ compiler (c++) on PATH");
        if (!built) {
            build(List.of());
            built = true;
        }
    }

    /** Builds a variant of the library that stands in for NCCL, with options for the compiler. Returns its path. */
    public static synchronized String nccl(String name, String... options) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(name));
        arguments.addAll(List.of(options));
        build(arguments);
        return FOLDER.resolve(name).resolve("libnccl.so.2").toString();
    }

    private static void build(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                CommandLineRun.ROOT.resolve("config/emulation/libraries").toString(), FOLDER.toString()));
        command.addAll(arguments);
        Process building = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(building.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, building.waitFor(), output);
    }

    private static boolean isOnPath(String tool) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
    }

    /**
     * Returns the environment variables of a JVM with a number of emulated GPUs, and the given variables beside them.
     */
    public static Map<String, String> variables(int gpus, Map<String, String> others) {
        Map<String, String> variables = new HashMap<>(Map.of(
                "JDK_JAVA_OPTIONS",
                        "-Dmscclj.cuda.library=" + FOLDER.resolve("libcuda.so.1") + " -Dmscclj.nvrtc.library="
                                + FOLDER.resolve("libnvrtc.so.13"),
                "MSCCLJ_NCCL_LIB", FOLDER.resolve("libnccl.so.2").toString(),
                "MSCCLJ_CACHE_DIR", FOLDER.resolve("cache").toString(),
                "EMULATION_DIR",
                        CommandLineRun.ROOT.resolve("backend-cuda/src/test/cpp").toString(),
                "STANDIN_DEVICES", Integer.toString(gpus),
                "STANDIN_MULTIPROCESSORS", "132"));
        variables.putAll(others);
        return variables;
    }
}

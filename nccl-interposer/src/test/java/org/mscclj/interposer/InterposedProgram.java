package org.mscclj.interposer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A C program that calls NCCL ({@code src/test/c}), with the library that stands in for NCCL loaded first, on emulated
 * GPUs. All is built once, by {@code config/emulation/libraries}, {@code config/interposer/libraries} and the C
 * compiler.
 */
final class InterposedProgram {
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Path FOLDER = Path.of("target", "interposer").toAbsolutePath();
    private static final Path GPUS = Path.of("target", "emulation").toAbsolutePath();
    private static final Path SOURCES = Path.of("src", "test", "c").toAbsolutePath();
    private static final Path JAVA = Path.of(System.getProperty("java.home"));

    private static boolean built;

    private final Process process;
    private final Path output;
    private final String line;

    private InterposedProgram(Process process, Path output, String line) {
        this.process = process;
        this.output = output;
        this.line = line;
    }

    /** Skips the test where GPUs cannot be emulated or the library cannot be built. */
    static synchronized void require() throws IOException, InterruptedException {
        assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "GPUs are emulated on Linux on x86_64 only");
        for (String tool : List.of("cc", "c++", "awk", "nm")) {
            assumeTrue(
                    isOnPath(tool),
                    "there is no " + tool + " on PATH, which builds or reads the library of the interposer");
        }
        assumeTrue(Files.exists(JAVA.resolve("include/jni.h")), "the JDK in " + JAVA + " has no include/jni.h");
        if (!built) {
            build();
            built = true;
        }
    }

    private static void build() throws IOException, InterruptedException {
        run(ROOT.resolve("config/emulation/libraries").toString(), GPUS.toString());
        Files.createDirectories(GPUS.resolve("objects"));
        run(ROOT.resolve("config/interposer/libraries").toString(), FOLDER.toString(), JAVA.toString());
        List<String> command = new ArrayList<>(List.of("cc", "-std=gnu11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra"));
        command.addAll(List.of("-Wno-unused-parameter", "-rdynamic", "-pthread"));
        try (Stream<Path> files = Files.list(SOURCES)) {
            files.map(Path::toString)
                    .filter(name -> name.endsWith(".c"))
                    .sorted()
                    .forEach(command::add);
        }
        command.addAll(List.of("-o", FOLDER.resolve("program").toString()));
        command.addAll(
                List.of(library().toString(), GPUS.resolve("libcuda.so.1").toString(), "-ldl"));
        run(command.toArray(String[]::new));
    }

    /** Runs a command that must end with 0. */
    static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
    }

    /** Compiles a program or a library of its own. */
    static void compile(Path source, Path output, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("cc", "-Wall", "-Wextra", source.toString()));
        command.addAll(List.of("-o", output.toString()));
        command.addAll(List.of(options));
        run(command.toArray(String[]::new));
    }

    static boolean isOnPath(String tool) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
    }

    /** A library that stands in for NCCL or RCCL. */
    static Path library(String name) {
        return FOLDER.resolve(name);
    }

    private static Path library() {
        return library("libnccl.so.2");
    }

    /** Starts the program. */
    static InterposedProgram start(int gpus, Map<String, String> variables, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(FOLDER.resolve("program").toString()));
        command.addAll(List.of(arguments));
        return start(gpus, variables, command);
    }

    /** Starts a program that {@link #compile} has made. */
    static InterposedProgram startOther(Path program, Map<String, String> variables, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        return start(1, variables, command);
    }

    /** Starts a program in Python. */
    static InterposedProgram startPython(Path script, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("python3", script.toString()));
        command.addAll(List.of(arguments));
        return start(1, Map.of(), command);
    }

    private static InterposedProgram start(int gpus, Map<String, String> variables, List<String> command)
            throws IOException {
        Path output = Files.createTempFile(FOLDER, "output", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        Map<String, String> all = builder.environment();
        all.keySet().removeIf(name -> name.startsWith("MSCCLJ_"));
        all.putAll(Map.of(
                "LD_PRELOAD", JAVA.resolve("lib/libjsig.so") + ":" + library(),
                "LD_LIBRARY_PATH", GPUS.toString(),
                "MSCCLJ_JVM", JAVA.resolve("lib/server/libjvm.so").toString(),
                "MSCCLJ_CLASS_PATH",
                        Stream.of("jdk.module.path", "java.class.path")
                                .map(property -> System.getProperty(property, ""))
                                .filter(path -> !path.isEmpty())
                                .collect(Collectors.joining(File.pathSeparator)),
                "MSCCLJ_JAVA_OPTS", javaOptions(),
                "MSCCLJ_CACHE_DIR", GPUS.resolve("cache").toString(),
                "MSCCLJ_NCCL_LIB", GPUS.resolve("libnccl.so.2").toString(),
                "EMULATION_DIR", ROOT.resolve("backend-cuda/src/test/cpp").toString(),
                "STANDIN_DEVICES", Integer.toString(gpus),
                "STANDIN_MULTIPROCESSORS", "132"));
        all.putAll(variables);
        return new InterposedProgram(builder.start(), output, String.join(" ", command));
    }

    private static String javaOptions() {
        Path hip = GPUS.resolve("libamdhip64.so.6");
        return String.join(
                " ",
                "-Dmscclj.cuda.library=" + GPUS.resolve("libcuda.so.1"),
                "-Dmscclj.nvrtc.library=" + GPUS.resolve("libnvrtc.so.13"),
                "-Dmscclj.hip.library=" + hip,
                "-Dmscclj.hiprtc.library=" + hip,
                "-Dmscclj.comgr.library=" + hip);
    }

    /** The variables with which a program runs on emulated AMD GPUs, by the library that stands in for RCCL. */
    static Map<String, String> onAmdGpus() {
        return Map.of(
                "LD_PRELOAD", JAVA.resolve("lib/libjsig.so") + ":" + library("librccl.so.1"),
                "HIP_ON_CUDA_DRIVER", GPUS.resolve("libcuda.so.1").toString(),
                "HIP_ON_CUDA_NVRTC", GPUS.resolve("libnvrtc.so.13").toString());
    }

    /** Waits for the end, and returns the exit code. */
    int await() throws InterruptedException {
        assertTrue(process.waitFor(10, TimeUnit.MINUTES), () -> line + " does not end: " + output());
        return process.exitValue();
    }

    /** Waits for the end, which is that all was right. */
    void awaitSuccess() throws InterruptedException {
        int code = await();
        assertEquals(0, code, () -> line + ": " + output());
        assertTrue(output().endsWith("passed\n"), () -> line + ": " + output());
    }

    /** Ends the program if it still runs. */
    void kill() {
        process.destroyForcibly();
    }

    /** What the program has printed. */
    String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            return e.toString();
        }
    }
}

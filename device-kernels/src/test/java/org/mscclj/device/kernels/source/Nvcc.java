package org.mscclj.device.kernels.source;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The toolkit's compiler, for tests of sources; without it, these tests are skipped. */
public final class Nvcc {
    private static final String ARCHITECTURE = "sm_90";

    private Nvcc() {}

    /**
     * Compiles a source; returns the compiler's messages, empty if there are none. Warnings are errors.
     *
     * @param folder folder for files
     */
    public static String compile(Path folder, String source) throws IOException, InterruptedException {
        return compile(folder, source, ARCHITECTURE);
    }

    /**
     * Compiles a source for an architecture, such as {@code sm_90}; returns the compiler's messages, empty if there are
     * none. Warnings are errors.
     *
     * @param folder folder for files
     */
    public static String compile(Path folder, String source, String architecture)
            throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("expanded.cu"), source);
        Process compiler;
        try {
            compiler = new ProcessBuilder(
                            "nvcc",
                            "-arch=" + architecture,
                            "-std=c++17",
                            "--Werror",
                            "all-warnings",
                            "-cubin",
                            "-o",
                            folder.resolve("expanded.cubin").toString(),
                            file.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException _) {
            assumeTrue(false, "nvcc is not on PATH, which compiles device sources where there is no GPU");
            return "";
        }
        String output = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return compiler.waitFor() == 0 ? "" : "nvcc failed:\n" + output;
    }
}

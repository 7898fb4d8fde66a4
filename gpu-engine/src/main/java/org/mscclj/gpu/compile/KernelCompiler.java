package org.mscclj.gpu.compile;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import jdk.jfr.FlightRecorder;
import org.mscclj.gpu.cache.CacheDirectory;
import org.mscclj.gpu.driver.GpuDriver;
import org.mscclj.gpu.driver.RuntimeCompiler;

/**
 * Compiles kernels for a GPU, and keeps the results. A result is found by everything that determines the code: source,
 * options, architecture, and, on disk, the compiler. In memory the compiler does not matter, because a process has only
 * one. Safe for use by several threads.
 */
public final class KernelCompiler {
    private static final Logger LOGGER = System.getLogger(KernelCompiler.class.getName());

    private final RuntimeCompiler compiler;
    private final KernelFiles files;

    /** By the digest of the key. Its source has 60 KB and more and is not kept. */
    private final ConcurrentMap<String, byte[]> known = new ConcurrentHashMap<>();

    /**
     * Creates a compiler that keeps its results in the user's cache, and also uses the kernels that came with the
     * archive.
     */
    public KernelCompiler(GpuDriver driver) {
        this(driver.compiler(), KernelFiles.ofUser(driver));
    }

    /** Creates a compiler that keeps its results in a given folder. */
    public KernelCompiler(RuntimeCompiler compiler, CacheDirectory directory) {
        this(compiler, new KernelFiles(directory, Optional.empty()));
    }

    private KernelCompiler(RuntimeCompiler compiler, KernelFiles files) {
        this.compiler = compiler;
        this.files = files;
    }

    /**
     * The code for a GPU. It is compiled unless it is known, which may take a second or more.
     *
     * @param name the name of the source in messages
     * @param source complete: there are no headers but the compiler's own
     * @param architecture of the GPU: {@code sm_90}
     * @return an object file for exactly this architecture
     * @throws org.mscclj.api.error.BackendException if the source has errors; with the compiler's log
     */
    public byte[] compile(String name, String source, String architecture) {
        KernelKey key = new KernelKey(source, compiler.options(architecture));
        String compilerName = compiler.name();
        return known.computeIfAbsent(key.nameByAnyCompiler(), _ -> load(name, key, compilerName))
                .clone();
    }

    /**
     * Compiles, and records an event only if a recording is active: loading the class of the event takes a tenth of a
     * second.
     */
    private byte[] compile(String name, KernelKey key) {
        Supplier<byte[]> compiling =
                () -> CompilerThread.call(() -> compiler.compile(name, key.source(), key.options()));
        return FlightRecorder.isInitialized() ? KernelEvent.around(name, key.source(), compiling) : compiling.get();
    }

    private byte[] load(String name, KernelKey key, String compilerName) {
        return files.read(key, compilerName).orElseGet(() -> {
            long start = System.nanoTime();
            byte[] code = compile(name, key);
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            LOGGER.log(Level.INFO, "compiled {0} in {1} ms; kept for next time", name, millis);
            try {
                files.write(key, compilerName, code);
            } catch (IOException e) {
                LOGGER.log(
                        Level.WARNING,
                        "compiled code cannot be kept, so every start compiles again; set {0} to a folder where"
                                + " files can be"
                                + " made: {1}",
                        CacheDirectory.VARIABLE,
                        e);
            }
            return code;
        });
    }
}

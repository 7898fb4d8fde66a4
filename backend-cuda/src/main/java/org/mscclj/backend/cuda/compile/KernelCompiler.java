package org.mscclj.backend.cuda.compile;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import jdk.jfr.FlightRecorder;
import org.mscclj.backend.cuda.cache.CacheDirectory;

/**
 * Compiles CUDA C++ for a GPU by NVRTC. What was compiled is kept, by everything that decides about it: source,
 * options, architecture, and, on disk, the compiler, of which a process has one. Safe for use by several threads.
 */
public final class KernelCompiler {
    private static final Logger LOGGER = System.getLogger(KernelCompiler.class.getName());

    private final KernelFiles files;

    /** By the digest of the key, whose source has 60 KB and more and is not kept. */
    private final ConcurrentMap<String, byte[]> known = new ConcurrentHashMap<>();

    /** A compiler that keeps what it compiles in the user's cache, and also knows what came with the archive. */
    public KernelCompiler() {
        this(KernelFiles.ofUser());
    }

    /** A compiler that keeps what it compiles in a given folder. */
    public KernelCompiler(CacheDirectory directory) {
        this(new KernelFiles(directory, Optional.empty()));
    }

    private KernelCompiler(KernelFiles files) {
        this.files = files;
    }

    /**
     * The code for a GPU, compiled unless it is known. May take a second or more.
     *
     * @param name what messages call the source
     * @param source complete: there are no headers but the compiler's own
     * @param architecture of the GPU: {@code sm_90}
     * @return an object file for exactly this architecture
     * @throws org.mscclj.api.error.BackendException if the source has errors; with the compiler's log
     */
    public byte[] compile(String name, String source, String architecture) {
        KernelKey key = KernelKey.of(source, architecture);
        String compiler = "NVRTC " + Program.compilerVersion();
        return known.computeIfAbsent(key.nameByAnyCompiler(), _ -> load(name, key, compiler))
                .clone();
    }

    /** Recorded if anything records: the class of the event takes a tenth of a second to load. */
    private static byte[] compile(String name, KernelKey key) {
        Supplier<byte[]> compiling =
                () -> CompilerThread.call(() -> Program.compile(name, key.source(), key.options()));
        return FlightRecorder.isInitialized() ? KernelEvent.around(name, key.source(), compiling) : compiling.get();
    }

    private byte[] load(String name, KernelKey key, String compiler) {
        return files.read(key, compiler).orElseGet(() -> {
            long start = System.nanoTime();
            byte[] code = compile(name, key);
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            LOGGER.log(Level.INFO, "compiled {0} in {1} ms; kept for next time", name, millis);
            try {
                files.write(key, compiler, code);
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

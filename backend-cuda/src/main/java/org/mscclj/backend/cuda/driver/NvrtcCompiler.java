package org.mscclj.backend.cuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.cuda.ffm.Nvrtc;
import org.mscclj.gpu.driver.RuntimeCompiler;

/**
 * Compiles by NVRTC. One thread compiles at a time: NVRTC 13.0 was seen to crash when several threads compiled at once.
 * No compilation begins once the process exits.
 */
public final class NvrtcCompiler implements RuntimeCompiler {
    /** The only instance: it has no state. */
    public static final RuntimeCompiler INSTANCE = new NvrtcCompiler();

    private static final int SUCCESS = 0;
    private static final Duration MAX_END = Duration.ofSeconds(10);
    private static volatile boolean exiting;
    private static final ReentrantLock COMPILING = untilExit();

    private NvrtcCompiler() {}

    /** Read once, at the first use. */
    private static final class Name {
        static final String TEXT = "NVRTC " + Nvrtc.version();
    }

    @Override
    public Optional<String> unavailable() {
        return Nvrtc.missing();
    }

    @Override
    public String name() {
        unavailable().ifPresent(reason -> {
            throw new UnsupportedException(reason);
        });
        return Name.TEXT;
    }

    @Override
    public List<String> options(String architecture) {
        return List.of("--gpu-architecture=" + architecture, "-std=c++17", "-default-device");
    }

    @Override
    public byte[] compile(String name, String source, List<String> options) {
        COMPILING.lock();
        try {
            if (exiting) {
                throw new UnsupportedException(name + " is not compiled any more: the process is exiting");
            }
            return compileAlone(name, source, options);
        } finally {
            COMPILING.unlock();
        }
    }

    /**
     * Creates the lock, with a shutdown hook that waits for a compilation. At exit the C library destroys data that the
     * compiler uses: a crash was seen.
     */
    private static ReentrantLock untilExit() {
        ReentrantLock compiling = new ReentrantLock();
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> awaitEnd(compiling), "mscclj-nvrtc-exit"));
        } catch (IllegalStateException _) {
            exiting = true; // the process has begun to exit
        }
        return compiling;
    }

    /** Waits for the current compilation. No other begins afterwards. */
    private static void awaitEnd(ReentrantLock compiling) {
        exiting = true;
        try {
            if (compiling.tryLock(MAX_END.toSeconds(), TimeUnit.SECONDS)) {
                compiling.unlock();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // this thread is not shared
        }
    }

    private static byte[] compileAlone(String name, String source, List<String> options) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment program = arena.allocate(ValueLayout.JAVA_LONG);
            check(Nvrtc.create(program, name, source), "nvrtcCreateProgram of " + name);
            try {
                long handle = program.get(ValueLayout.JAVA_LONG, 0);
                int result = Nvrtc.compile(handle, options);
                if (result != SUCCESS) {
                    throw failure(
                            result,
                            name + " does not compile with " + Name.TEXT + " of " + Nvrtc.where() + " and "
                                    + String.join(" ", options) + ":\n" + Nvrtc.log(handle) + "\n");
                }
                return Nvrtc.cubin(handle)
                        .orElseThrow(
                                () -> failure(result, Name.TEXT + " gives no code for " + name + " with " + options));
            } finally {
                Nvrtc.destroy(program);
            }
        }
    }

    private static void check(int result, String function) {
        if (result != SUCCESS) {
            throw failure(result, function + " failed");
        }
    }

    private static BackendException failure(int result, String message) {
        return new BackendException(message, result, Nvrtc.errorName(result));
    }
}

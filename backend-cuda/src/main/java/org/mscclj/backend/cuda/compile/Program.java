package org.mscclj.backend.cuda.compile;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.cuda.ffm.Nvrtc;

/** One run of the compiler. */
final class Program {
    private static final int SUCCESS = 0;
    private static final Duration LONGEST_END = Duration.ofSeconds(10);
    private static volatile boolean exiting;
    private static final ReentrantLock COMPILING = untilExit();

    private Program() {}

    private static final class Compiler {
        static final String VERSION = Nvrtc.version();
    }

    /** The compiler's version, asked once. */
    static String compilerVersion() {
        Nvrtc.missing().ifPresent(reason -> {
            throw new UnsupportedException(reason);
        });
        return Compiler.VERSION;
    }

    /**
     * The code; a failure has the log. One at a time: NVRTC 13.0 was seen to crash when several threads compiled at
     * once.
     */
    static byte[] compile(String name, String source, List<String> options) {
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

    /** When the process exits, the C library tears down what the compiler is using: it was seen to crash. */
    private static ReentrantLock untilExit() {
        ReentrantLock compiling = new ReentrantLock();
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> awaitEnd(compiling), "mscclj-nvrtc-exit"));
        } catch (IllegalStateException _) {
            exiting = true; // it has begun to exit
        }
        return compiling;
    }

    /** Waits for the compilation that is under way, after which no other begins. */
    private static void awaitEnd(ReentrantLock compiling) {
        exiting = true;
        try {
            if (compiling.tryLock(LONGEST_END.toSeconds(), TimeUnit.SECONDS)) {
                compiling.unlock();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // nobody interrupts this thread
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
                            name + " does not compile with NVRTC " + compilerVersion() + " of " + Nvrtc.where()
                                    + " and " + String.join(" ", options) + ":\n" + Nvrtc.log(handle) + "\n");
                }
                return Nvrtc.cubin(handle)
                        .orElseThrow(() -> failure(
                                result,
                                "NVRTC " + compilerVersion() + " gives no code for " + name + " with " + options));
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

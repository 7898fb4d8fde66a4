package org.mscclj.gpu.library;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.UnsupportedException;

/**
 * Compiles programs by a {@link CompilerLibrary}. One thread compiles at a time: NVRTC 13.0 was seen to crash when
 * several threads compiled at once. No compilation begins once the process exits: at exit the C library destroys data
 * that the compiler uses, and a crash was seen.
 */
public final class SourceCompiler {
    private static final int SUCCESS = 0;
    private static final Duration MAX_END = Duration.ofSeconds(10);

    private final CompilerLibrary library;
    private final String name;
    private final ReentrantLock compiling = new ReentrantLock();
    private volatile boolean exiting;

    /**
     * Creates a compiler, of which a process has one for each library.
     *
     * @param name the compiler's name with its version
     */
    public SourceCompiler(CompilerLibrary library, String name) {
        this.library = library;
        this.name = name;
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(this::awaitEnd, "mscclj-compiler-exit"));
        } catch (IllegalStateException _) {
            exiting = true; // the process has begun to exit
        }
    }

    /** Waits for the current compilation. No other begins afterwards. */
    private void awaitEnd() {
        exiting = true;
        try {
            if (compiling.tryLock(MAX_END.toSeconds(), TimeUnit.SECONDS)) {
                compiling.unlock();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // this thread is not shared
        }
    }

    /**
     * Compiles a source.
     *
     * @param title the name of the source in messages
     * @param source complete: there are no headers but the compiler's own
     * @return an object file
     * @throws BackendException if the source has errors; with the compiler's log
     */
    public byte[] compile(String title, String source, List<String> options) {
        compiling.lock();
        try {
            if (exiting) {
                throw new UnsupportedException(title + " is not compiled any more: the process is exiting");
            }
            return compileAlone(title, source, options);
        } finally {
            compiling.unlock();
        }
    }

    private byte[] compileAlone(String title, String source, List<String> options) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment program = arena.allocate(ValueLayout.JAVA_LONG);
            int created = library.create(program, title, source);
            if (created != SUCCESS) {
                throw failure(created, name + " makes no program of " + title);
            }
            try {
                long handle = program.get(ValueLayout.JAVA_LONG, 0);
                int result = library.compile(handle, options);
                if (result != SUCCESS) {
                    throw failure(
                            result,
                            title + " does not compile with " + name + " of " + library.where() + " and "
                                    + String.join(" ", options) + ":\n" + library.log(handle) + "\n");
                }
                return library.code(handle)
                        .orElseThrow(() -> failure(result, name + " gives no code for " + title + " with " + options));
            } finally {
                library.destroy(program);
            }
        }
    }

    private BackendException failure(int result, String message) {
        return new BackendException(message, result, library.errorName(result));
    }
}

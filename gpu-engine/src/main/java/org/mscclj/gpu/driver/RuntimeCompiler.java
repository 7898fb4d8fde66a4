package org.mscclj.gpu.driver;

import java.util.List;
import java.util.Optional;

/** Compiles kernels in this process. Safe for use by several threads. */
public interface RuntimeCompiler {
    /** The reason why there is no compiler, for users; empty if there is one. */
    Optional<String> unavailable();

    /**
     * The compiler and its version, as {@code NVRTC 13.0}. Two compilers that may give different code have different
     * names.
     *
     * @throws org.mscclj.api.error.UnsupportedException if there is no compiler
     */
    String name();

    /**
     * The options for an architecture. The source, the compiler and these options determine the code. Works without a
     * compiler.
     *
     * @param architecture as {@link DeviceCalls#architecture} writes it
     */
    List<String> options(String architecture);

    /**
     * Compiles a source, which takes a second or more. The calling thread has a large stack.
     *
     * @param name the name of the source in messages
     * @param source complete: there are no headers but the compiler's own
     * @param options from {@link #options}
     * @return an object file for exactly one architecture
     * @throws org.mscclj.api.error.BackendException if the source has errors; with the compiler's log
     */
    byte[] compile(String name, String source, List<String> options);
}

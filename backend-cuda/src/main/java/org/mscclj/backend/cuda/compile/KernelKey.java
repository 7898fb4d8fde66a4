package org.mscclj.backend.cuda.compile;

import java.util.List;
import org.mscclj.backend.cuda.cache.Digest;

/**
 * What decides about the code of a kernel, but for the compiler.
 *
 * @param source complete
 * @param options of NVRTC
 */
record KernelKey(String source, List<String> options) {
    /** The kernel of a source for an architecture, as {@code sm_90}. */
    static KernelKey of(String source, String architecture) {
        return new KernelKey(source, List.of("--gpu-architecture=" + architecture, "-std=c++17", "-default-device"));
    }

    /** What its code is called that a certain compiler has made. */
    String nameBy(String compiler) {
        return Digest.of(source, text(), compiler);
    }

    /** What its code is called that any compiler has made. */
    String nameByAnyCompiler() {
        return Digest.of(source, text());
    }

    private String text() {
        return String.join("\n", options);
    }
}

package org.mscclj.gpu.compile;

import java.util.List;
import org.mscclj.gpu.cache.Digest;

/**
 * Everything that determines the code of a kernel, except the compiler.
 *
 * @param source complete
 * @param options of the compiler, including the architecture
 */
record KernelKey(String source, List<String> options) {
    /** The name of the code that a certain compiler has made. */
    String nameBy(String compiler) {
        return Digest.of(source, text(), compiler);
    }

    /** The name of the code that any compiler has made. */
    String nameByAnyCompiler() {
        return Digest.of(source, text());
    }

    private String text() {
        return String.join("\n", options);
    }
}

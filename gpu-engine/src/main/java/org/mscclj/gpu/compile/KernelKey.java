package org.mscclj.gpu.compile;

import java.util.List;
import org.mscclj.gpu.cache.Digest;

/**
 * What decides about the code of a kernel, but for the compiler.
 *
 * @param source complete
 * @param options of the compiler, the architecture among them
 */
record KernelKey(String source, List<String> options) {
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

package org.mscclj.gpu.compile;

import java.util.List;
import org.mscclj.plan.digest.Sha256;

/**
 * Everything that determines the code of a kernel, except the compiler.
 *
 * @param source complete
 * @param options of the compiler, including the architecture
 */
record KernelKey(String source, List<String> options) {
    /** The name of the code that a certain compiler has made. */
    String nameBy(String compiler) {
        return Sha256.ofParts(source, text(), compiler);
    }

    /** The name of the code that any compiler has made. */
    String nameByAnyCompiler() {
        return Sha256.ofParts(source, text());
    }

    private String text() {
        return String.join("\n", options);
    }
}

package org.mscclj.conformance.rank.kernel;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The kernels that checks compile, in CUDA C++. */
public enum KernelSource {
    /** Uses every operation of channels. */
    EXCHANGE("exchange.cu"),
    /** Uses windows. */
    WINDOW("window.cu"),
    /** Waits for a rank that closes. */
    CLOSED("closed.cu");

    private final String file;

    KernelSource(String file) {
        this.file = file;
    }

    /** Returns the source text. */
    public String text() {
        try (InputStream in = KernelSource.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is not beside this class");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

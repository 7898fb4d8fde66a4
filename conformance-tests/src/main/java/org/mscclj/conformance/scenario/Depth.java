package org.mscclj.conformance.scenario;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.mscclj.api.error.InvalidArgumentException;

/** How many cases are tried. */
public enum Depth {
    /** Every rule, on few ranks and small buffers: seconds. */
    QUICK,
    /** Every pair of values of two dimensions: minutes. */
    SAMPLE,
    /** Every combination: minutes with ranks as threads, much longer with ranks as processes. */
    FULL;

    /** Returns the lower-case name for command lines and reports. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the depth with this name.
     *
     * @throws InvalidArgumentException if there is none; the message lists the names
     */
    public static Depth parse(String text) {
        for (Depth depth : values()) {
            if (depth.label().equals(text.toLowerCase(Locale.ROOT))) {
                return depth;
            }
        }
        throw InvalidArgumentException.of(
                "depth",
                text,
                Arrays.stream(values()).map(Depth::label).collect(Collectors.joining(", ", "one of ", "")));
    }

    @Override
    public String toString() {
        return label();
    }
}

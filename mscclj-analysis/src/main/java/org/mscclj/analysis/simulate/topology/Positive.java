package org.mscclj.analysis.simulate.topology;

import org.mscclj.api.error.InvalidArgumentException;

/** Checks the numbers of a topology. */
final class Positive {
    private Positive() {}

    /** Requires a bandwidth to be finite and greater than 0. */
    static void bandwidth(String what, double value) {
        if (!(value > 0 && Double.isFinite(value))) {
            throw InvalidArgumentException.of(what, value, "more than 0 bytes per nanosecond");
        }
    }

    /** Requires a duration to be finite and not negative. */
    static void nanos(String what, double value) {
        if (!(value >= 0 && Double.isFinite(value))) {
            throw InvalidArgumentException.of(what, value, "0 or more nanoseconds");
        }
    }
}

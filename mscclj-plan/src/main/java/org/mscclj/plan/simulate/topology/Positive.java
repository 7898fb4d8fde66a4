package org.mscclj.plan.simulate.topology;

import org.mscclj.api.error.InvalidArgumentException;

/** Checks numbers of a topology. */
final class Positive {
    private Positive() {}

    /** A bandwidth: finite and greater than 0. */
    static void bandwidth(String what, double value) {
        if (!(value > 0 && Double.isFinite(value))) {
            throw InvalidArgumentException.of(what, value, "more than 0 bytes per nanosecond");
        }
    }

    /** A duration: finite and not negative. */
    static void nanos(String what, double value) {
        if (!(value >= 0 && Double.isFinite(value))) {
            throw InvalidArgumentException.of(what, value, "0 or more nanoseconds");
        }
    }
}

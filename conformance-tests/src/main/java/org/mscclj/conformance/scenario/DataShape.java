package org.mscclj.conformance.scenario;

import java.util.Locale;

/** What numbers the inputs are made of. */
public enum DataShape {
    /** Numbers so small that every partial result is an element: one right result in whatever order. */
    EXACT,
    /** Integers of all bits: sums wrap, unsigned types use their top bit. */
    WIDE,
    /** Floating point of random mantissas: the order of reducing shows in the last bits. */
    INEXACT,
    /** Narrow floating point whose sum over two ranks is exact in float32 and has to be rounded. */
    ROUNDED,
    /** Floating point whose sums leave the range of the type. */
    OVERFLOWING,
    /** Floating point of any bits, NaN, infinities and zeros of both signs among them. */
    SPECIAL;

    /** The lower-case name used in the line of a case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return label();
    }
}

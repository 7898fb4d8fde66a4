package org.mscclj.conformance.scenario;

import java.util.Locale;

/** The numbers of which inputs consist. */
public enum DataShape {
    /** Numbers so small that every partial result is an element: there is one correct result for every order. */
    EXACT,
    /** Integers of all bits: sums wrap, and unsigned types use their top bit. */
    WIDE,
    /** Floating-point numbers with random mantissas: the order of a reduction shows in the last bits. */
    INEXACT,
    /** Narrow floating-point numbers whose sum over two ranks is exact in float32 and has to be rounded. */
    ROUNDED,
    /** Floating-point numbers whose sums leave the range of the type. */
    OVERFLOWING,
    /** Floating-point numbers of any bits, including NaN, infinities and zeros of both signs. */
    SPECIAL;

    /** Returns the lower-case name in the line of a case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return label();
    }
}

package org.mscclj.backend.host.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/**
 * Conversion between vectors of a narrow floating-point format and vectors of binary32.
 *
 * <p>Elements are not spread over several vectors: a 32-bit lane holds 2 or 4 of them, and the element at {@code bit} of each
 * lane is widened or placed by shifts within the lane. So no operation crosses lanes, and loads and stores are of whole vectors.
 */
interface NarrowFloatVectors {
    /** Bits of an element: 16 or 8. */
    int bits();

    /** The elements at bits {@code [bit, bit + bits)} of the lanes. */
    FloatVector decode(IntVector packed, int bit);

    /** The values, rounded to nearest even, at bits {@code [bit, bit + bits)} of the lanes; the other bits are 0. */
    IntVector encode(FloatVector values, int bit);
}

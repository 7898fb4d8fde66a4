package org.mscclj.backend.host.kernel.format;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Conversion between vectors of bfloat16 and of binary32. Elements are taken two by two, as lanes of 32 bits: the upper
 * element is a binary32 apart from its lower half, and the lower element becomes one by a shift of 16 bits.
 */
public final class Bfloat16Vectors {
    private static final int UPPER = 0xffff0000;
    private static final int NAN = 0x7fc00000;

    private Bfloat16Vectors() {}

    /** The lower element of each lane. */
    public static FloatVector lower(IntVector packed) {
        return packed.lanewise(VectorOperators.LSHL, Short.SIZE).reinterpretAsFloats();
    }

    /** The upper element of each lane. */
    public static FloatVector upper(IntVector packed) {
        return packed.and(UPPER).reinterpretAsFloats();
    }

    /** The lanes of the given elements, rounded to nearest even. */
    public static IntVector pack(FloatVector lower, FloatVector upper) {
        return round(lower)
                .lanewise(VectorOperators.LSHR, Short.SIZE)
                .or(round(upper).and(UPPER));
    }

    /** Rounds to nearest even at bit 16, NaN to the canonical one; the bits below are not cleared. */
    private static IntVector round(FloatVector values) {
        IntVector bits = values.reinterpretAsInts();
        IntVector odd = bits.lanewise(VectorOperators.LSHR, Short.SIZE).and(1);
        return bits.add(0x7fff)
                .add(odd)
                .blend(NAN, values.test(VectorOperators.IS_NAN).cast(bits.species()));
    }
}

package org.mscclj.backend.host.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/** bfloat16, the upper half of binary32. */
final class Bfloat16Vectors implements NarrowFloatVectors {
    private static final int UPPER_HALF = 0xffff0000;
    private static final int NAN = 0x7fc00000;

    @Override
    public int bits() {
        return Short.SIZE;
    }

    @Override
    public FloatVector decode(IntVector packed, int bit) {
        IntVector upper = bit == 0 ? packed.lanewise(VectorOperators.LSHL, Short.SIZE) : packed.and(UPPER_HALF);
        return upper.reinterpretAsFloats();
    }

    @Override
    public IntVector encode(FloatVector values, int bit) {
        IntVector binary32 = values.reinterpretAsInts();
        IntVector odd = binary32.lanewise(VectorOperators.LSHR, Short.SIZE).and(1);
        IntVector rounded = binary32.add(0x7fff).add(odd);
        IntVector upper = rounded.blend(NAN, values.test(VectorOperators.IS_NAN).cast(rounded.species()));
        return bit == 0 ? upper.lanewise(VectorOperators.LSHR, Short.SIZE) : upper.and(UPPER_HALF);
    }
}

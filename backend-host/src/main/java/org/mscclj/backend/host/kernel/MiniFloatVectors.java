package org.mscclj.backend.host.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/** The formats that {@link MiniFloat} describes; see there for why the arithmetic is exact. */
final class MiniFloatVectors implements NarrowFloatVectors {
    private static final int SIGN = 0x80000000;
    private static final int MAGNITUDE = 0x7fffffff;
    private static final int EXPONENT = 0x7f800000;
    private static final int EXPONENT_SHIFT = 23;

    private final int bits;
    private final int shift;
    private final int field;
    private final float rescale;
    private final int firstSpecial;
    private final int ceiling;
    private final int firstNormal;
    private final int nan;

    MiniFloatVectors(MiniFloat layout, int bits) {
        this.bits = bits;
        shift = layout.shift();
        field = SIGN | (1 << bits - 1) - 1 << shift;
        rescale = layout.rescale();
        firstSpecial = Float.floatToRawIntBits(Float.intBitsToFloat(layout.firstSpecial() << shift) * rescale);
        ceiling = Float.floatToRawIntBits(layout.ceiling());
        firstNormal = layout.firstNormalBits();
        nan = layout.nan();
    }

    @Override
    public int bits() {
        return bits;
    }

    @Override
    public FloatVector decode(IntVector packed, int bit) {
        // To the top, then down as a signed number: the sign stays in place, its copies are masked out.
        int down = Integer.SIZE - 1 - EXPONENT_SHIFT - (bits - 1 - (EXPONENT_SHIFT - shift));
        IntVector top = packed.lanewise(VectorOperators.LSHL, Integer.SIZE - bits - bit);
        FloatVector scaled = top.lanewise(VectorOperators.ASHR, down).and(field).reinterpretAsFloats().mul(rescale);
        IntVector binary32 = scaled.reinterpretAsInts();
        VectorMask<Integer> special = binary32.and(MAGNITUDE).compare(VectorOperators.GE, firstSpecial);
        return binary32.lanewise(VectorOperators.OR, EXPONENT, special).reinterpretAsFloats();
    }

    @Override
    public IntVector encode(FloatVector values, int bit) {
        IntVector binary32 = values.reinterpretAsInts();
        IntVector bounded = binary32.and(MAGNITUDE).min(ceiling);
        // Rounds at the format's last mantissa bit by adding a power of two whose last bit is that one; below the normal
        // numbers that bit no longer moves with the exponent.
        IntVector exponent = bounded.and(EXPONENT).max(firstNormal);
        IntVector magic = exponent.add(shift << EXPONENT_SHIFT);
        IntVector sum = bounded.reinterpretAsFloats().add(magic.reinterpretAsFloats()).reinterpretAsInts();
        IntVector magnitude = sum.sub(magic).add(exponent.sub(firstNormal).lanewise(VectorOperators.LSHR, shift));
        IntVector sign = binary32.lanewise(VectorOperators.LSHR, Integer.SIZE - bits).and(1 << bits - 1);
        IntVector encoding = magnitude
                .or(sign)
                .blend(nan, values.test(VectorOperators.IS_NAN).cast(magnitude.species()));
        return bit == 0 ? encoding : encoding.lanewise(VectorOperators.LSHL, bit);
    }
}

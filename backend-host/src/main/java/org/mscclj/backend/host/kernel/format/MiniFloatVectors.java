package org.mscclj.backend.host.kernel.format;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.mscclj.api.type.DataType;
import org.mscclj.support.arithmetic.MiniFloat;

/**
 * Conversion between vectors of one of {@link MiniFloat}'s formats and vectors of binary32. Finite numbers only;
 * {@link MiniFloat} explains why the arithmetic is exact.
 *
 * <p>Elements are not spread over several vectors: a 32-bit lane holds 2 or 4 of them, and the element at {@code bit}
 * of each lane is widened or placed by shifts within the lane. So no operation crosses lanes, and loads and stores are
 * of whole vectors.
 *
 * <p>This class is a record, because the compiler treats the fields of a constant record as constants. The fields are
 * vectors, because an operation between vectors takes far less of the compiler's inlining budget than an operation that
 * broadcasts a number first.
 *
 * @param bits bits of an element
 * @param shift number of mantissa bits that binary32 has in addition
 * @param field the bits of a binary32 to which an element's bits are shifted, sign included
 * @param rescale exact factor from there to the element's value
 * @param magnitudes all bits of a lane but the elements' signs
 * @param signs the elements' signs
 * @param toSpecial added to an element's magnitude, carries into its sign bit exactly if it is infinity or NaN
 * @param ceiling bits of the binary32 that replaces larger magnitudes
 * @param firstNormal bits of the least normal number as binary32
 * @param toMagic difference from the bits of a power of two to the bits of the power whose last mantissa bit is this
 *     format's last bit for the former
 * @param sign the sign of binary32
 * @param magnitude all bits of binary32 but the sign
 * @param exponent the exponent of binary32
 * @param one 1
 * @param almostHalf just less than half of this format's last mantissa bit
 * @param largest the encoding of infinity, or of the largest number in a format that saturates
 */
public record MiniFloatVectors(
        int bits,
        int shift,
        IntVector field,
        FloatVector rescale,
        IntVector magnitudes,
        IntVector signs,
        IntVector toSpecial,
        IntVector ceiling,
        IntVector firstNormal,
        IntVector toMagic,
        IntVector sign,
        IntVector magnitude,
        IntVector exponent,
        IntVector one,
        IntVector almostHalf,
        IntVector largest) {
    private static final int FLOAT_MANTISSA_BITS = 23;
    private static final int FLOAT_SIGN = 0x80000000;
    private static final int FLOAT_EXPONENT = 0x7f800000;

    /** Returns the conversion of a type, in vectors of the preferred size. */
    public static MiniFloatVectors of(DataType type) {
        return switch (type) {
            case FLOAT16 -> of(MiniFloat.FLOAT16, Short.SIZE, IntVector.SPECIES_PREFERRED);
            case FLOAT8_E4M3 -> of(MiniFloat.E4M3, Byte.SIZE, IntVector.SPECIES_PREFERRED);
            case FLOAT8_E5M2 -> of(MiniFloat.E5M2, Byte.SIZE, IntVector.SPECIES_PREFERRED);
            default -> throw new IllegalArgumentException(type + " is no mini float");
        };
    }

    public static MiniFloatVectors of(MiniFloat layout, int bits, VectorSpecies<Integer> species) {
        int sign = 1 << (bits - 1);
        int everyElement = bits == Short.SIZE ? 0x00010001 : 0x01010101;
        return new MiniFloatVectors(
                bits,
                layout.shift(),
                IntVector.broadcast(species, FLOAT_SIGN | ((sign - 1) << layout.shift())),
                IntVector.broadcast(species, Float.floatToRawIntBits(layout.rescale()))
                        .reinterpretAsFloats(),
                IntVector.broadcast(species, everyElement * (sign - 1)),
                IntVector.broadcast(species, everyElement * sign),
                IntVector.broadcast(species, everyElement * (sign - layout.firstSpecial())),
                IntVector.broadcast(species, Float.floatToRawIntBits(layout.ceiling())),
                IntVector.broadcast(species, layout.firstNormalBits()),
                IntVector.broadcast(species, layout.shift() << FLOAT_MANTISSA_BITS),
                IntVector.broadcast(species, FLOAT_SIGN),
                IntVector.broadcast(species, ~FLOAT_SIGN),
                IntVector.broadcast(species, FLOAT_EXPONENT),
                IntVector.broadcast(species, 1),
                IntVector.broadcast(species, (1 << (layout.shift() - 1)) - 1),
                IntVector.broadcast(species, layout.encode(Float.POSITIVE_INFINITY)));
    }

    /** Not 0 in the lanes that hold infinity or NaN. */
    public IntVector specials(IntVector packed) {
        return packed.and(magnitudes).add(toSpecial).and(signs);
    }

    /** Whether any lane is not 0. */
    public static boolean any(IntVector specials) {
        return specials.compare(VectorOperators.NE, IntVector.zero(specials.species()))
                .anyTrue();
    }

    /**
     * The elements at bits {@code [bit, bit + bits)} of the lanes, which must be finite, over {@link #rescale}: their
     * bits in binary32's position. Sums of these are rounded like sums of the values, as they are multiples of the
     * format's scaled least subnormal, which is still far above binary32's least subnormal.
     */
    public FloatVector decodeScaled(IntVector packed, int bit) {
        // Shift to the top, then down with sign: the sign stays in place, and its copies are masked out.
        IntVector top = packed.lanewise(VectorOperators.LSHL, Integer.SIZE - bits - bit);
        IntVector placed = top.lanewise(VectorOperators.ASHR, Integer.SIZE - bits - shift);
        return placed.and(field).reinterpretAsFloats();
    }

    /** The inverse of {@link #decodeScaled}, rounded to nearest even; not for NaN. The other bits are 0. */
    public IntVector encodeScaled(FloatVector values, int bit) {
        IntVector binary32 = values.reinterpretAsInts();
        IntVector odd = binary32.lanewise(VectorOperators.LSHR, shift).and(one);
        IntVector rounded = binary32.add(almostHalf).add(odd);
        IntVector encoding =
                rounded.and(magnitude).lanewise(VectorOperators.LSHR, shift).min(largest);
        IntVector signs = binary32.and(sign).lanewise(VectorOperators.LSHR, Integer.SIZE - bits - bit);
        return encoding.lanewise(VectorOperators.LSHL, bit).or(signs);
    }

    /** The elements at bits {@code [bit, bit + bits)} of the lanes, which must be finite. */
    public FloatVector decode(IntVector packed, int bit) {
        return decodeScaled(packed, bit).mul(rescale);
    }

    /**
     * The values, rounded to nearest even, at bits {@code [bit, bit + bits)} of the lanes; not for NaN. The other bits
     * are 0.
     */
    public IntVector encode(FloatVector values, int bit) {
        IntVector binary32 = values.reinterpretAsInts();
        IntVector bounded = binary32.and(magnitude).min(ceiling);
        // Rounds at the format's last mantissa bit by adding a power of two whose last bit is that one; below the
        // normal numbers the position of that bit is constant.
        IntVector power = bounded.and(exponent).max(firstNormal);
        IntVector magic = power.add(toMagic);
        IntVector sum =
                bounded.reinterpretAsFloats().add(magic.reinterpretAsFloats()).reinterpretAsInts();
        IntVector encoding = sum.sub(magic).add(power.sub(firstNormal).lanewise(VectorOperators.LSHR, shift));
        IntVector signs = binary32.and(sign).lanewise(VectorOperators.LSHR, Integer.SIZE - bits - bit);
        return encoding.lanewise(VectorOperators.LSHL, bit).or(signs);
    }
}

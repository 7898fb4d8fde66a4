package org.mscclj.conformance.element;

import org.mscclj.api.type.DataType;

/**
 * A binary floating-point format of at most 32 bits, described by its fields. Decoding is exact; encoding rounds to
 * nearest, ties to even.
 *
 * @param exponentBits bits of the exponent
 * @param mantissaBits stored bits of the mantissa
 * @param largest the largest finite number
 * @param infinities whether the format has infinities; overflow then gives infinity
 * @param saturates whether overflow gives the largest finite number instead
 */
record FloatLayout(int exponentBits, int mantissaBits, double largest, boolean infinities, boolean saturates) {
    private static final FloatLayout FLOAT16 = new FloatLayout(5, 10, 65504, true, false);
    private static final FloatLayout BFLOAT16 = new FloatLayout(8, 7, 0x1.fep127, true, false);
    private static final FloatLayout FLOAT32 = new FloatLayout(8, 23, Float.MAX_VALUE, true, false);
    private static final FloatLayout E4M3 = new FloatLayout(4, 3, 448, false, true);
    private static final FloatLayout E5M2 = new FloatLayout(5, 2, 57344, true, true);

    /** Returns the layout of a type narrower than float64. */
    static FloatLayout of(DataType type) {
        return switch (type) {
            case FLOAT16 -> FLOAT16;
            case BFLOAT16 -> BFLOAT16;
            case FLOAT32 -> FLOAT32;
            case FLOAT8_E4M3 -> E4M3;
            case FLOAT8_E5M2 -> E5M2;
            default -> throw new IllegalArgumentException(type + " has no such layout");
        };
    }

    int bias() {
        return (1 << (exponentBits - 1)) - 1;
    }

    private long signBit() {
        return 1L << (exponentBits + mantissaBits);
    }

    private long exponentMask() {
        return (1L << exponentBits) - 1;
    }

    double decode(long bits) {
        double sign = (bits & signBit()) == 0 ? 1 : -1;
        int exponent = (int) ((bits >>> mantissaBits) & exponentMask());
        long mantissa = bits & ((1L << mantissaBits) - 1);
        if (exponent == exponentMask()) {
            if (infinities) {
                return mantissa == 0 ? sign * Double.POSITIVE_INFINITY : Double.NaN;
            }
            if (mantissa == (1L << mantissaBits) - 1) { // E4M3 uses only this encoding, with either sign, for NaN
                return Double.NaN;
            }
        }
        return exponent == 0
                ? sign * Math.scalb((double) mantissa, 1 - bias() - mantissaBits)
                : sign * Math.scalb((double) (mantissa + (1L << mantissaBits)), exponent - bias() - mantissaBits);
    }

    long encode(double value) {
        long sign = Double.doubleToRawLongBits(value) < 0 ? signBit() : 0;
        if (Double.isNaN(value)) {
            return (exponentMask() << mantissaBits)
                    | (infinities ? 1L << (mantissaBits - 1) : (1L << mantissaBits) - 1);
        }
        double magnitude = Math.abs(value);
        int exponent = Math.max(Math.getExponent(magnitude), 1 - bias());
        // Divides by the unit in the last place at this exponent, so that the rest is a whole number. Infinity stays
        // infinity.
        double units = Math.rint(Math.scalb(magnitude, mantissaBits - exponent));
        double rounded = Math.scalb(units, exponent - mantissaBits);
        if (rounded > largest) {
            return sign | (saturates ? encode(largest) : exponentMask() << mantissaBits);
        }
        // A carry out of the mantissa increments the exponent field, which is correct.
        long hidden = 1L << mantissaBits;
        return sign
                | (units < hidden
                        ? (long) units
                        : ((long) (exponent + bias()) << mantissaBits) + (long) units - hidden);
    }
}

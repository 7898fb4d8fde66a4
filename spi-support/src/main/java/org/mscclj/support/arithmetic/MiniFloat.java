package org.mscclj.support.arithmetic;

/**
 * The layout of a floating-point format narrower than binary32 in both exponent and mantissa, and its conversions.
 *
 * <p>All numbers here are magnitudes; the sign bit is moved separately.
 *
 * @param mantissaBits stored bits of the mantissa
 * @param bias bias of the exponent
 * @param ceiling the binary32 number that replaces larger magnitudes, infinity included, before rounding: the largest
 *     finite number of a format that saturates, 2<sup>emax + 1</sup>, whose encoding is infinity, of a format that does
 *     not
 * @param firstSpecial the least encoding that is infinity or NaN
 * @param infinity the encoding of infinity, or {@code nan} in a format without
 * @param nan the encoding of the canonical NaN
 */
public record MiniFloat(int mantissaBits, int bias, float ceiling, int firstSpecial, int infinity, int nan) {
    /** IEEE binary16. */
    public static final MiniFloat FLOAT16 = new MiniFloat(10, 15, 65536, 0x7c00, 0x7c00, 0x7e00);

    /** fp8 with 4 bits of exponent and 3 of mantissa. */
    public static final MiniFloat E4M3 = new MiniFloat(3, 7, 448, 0x7f, 0x7f, 0x7f);

    /** fp8 with 5 bits of exponent and 2 of mantissa. */
    public static final MiniFloat E5M2 = new MiniFloat(2, 15, 57344, 0x7c, 0x7c, 0x7f);

    /**
     * The format for operations that select an operand instead of computing a number: an infinity stays an infinity.
     */
    public static final MiniFloat E5M2_SELECTED = new MiniFloat(2, 15, 65536, 0x7c, 0x7c, 0x7f);

    private static final int FLOAT_MANTISSA_BITS = 23;
    private static final int FLOAT_BIAS = 127;

    /** Number of mantissa bits that binary32 has in addition. */
    public int shift() {
        return FLOAT_MANTISSA_BITS - mantissaBits;
    }

    /** The exact factor from an encoding shifted to binary32's position to its value: 2<sup>127 − bias</sup>. */
    public float rescale() {
        return Math.scalb(1f, FLOAT_BIAS - bias);
    }

    /** Bits of the least binary32 magnitude that is normal in this format. */
    public int firstNormalBits() {
        return (FLOAT_BIAS - bias + 1) << FLOAT_MANTISSA_BITS;
    }

    /**
     * The power of two whose unit in the last place is this format's least subnormal: adding it to a subnormal makes
     * the addition round.
     */
    public float subnormalMagic() {
        return Math.scalb(1f, 1 - bias - mantissaBits + FLOAT_MANTISSA_BITS);
    }

    /** The value of a non-negative encoding. */
    public float decode(int encoding) {
        if (encoding >= firstSpecial) {
            return encoding == infinity && infinity != nan ? Float.POSITIVE_INFINITY : Float.NaN;
        }
        // Exact, for subnormals too: as binary32 bits the encoding is a subnormal that the product normalises.
        return Float.intBitsToFloat(encoding << shift()) * rescale();
    }

    /** The encoding nearest to a non-negative number, ties to even, or the canonical NaN. */
    public int encode(float magnitude) {
        if (Float.isNaN(magnitude)) {
            return nan;
        }
        float bounded = Math.min(magnitude, ceiling);
        int bits = Float.floatToRawIntBits(bounded);
        if (bits < firstNormalBits()) {
            return Float.floatToRawIntBits(bounded + subnormalMagic()) - Float.floatToRawIntBits(subnormalMagic());
        }
        // Rounds to nearest even by adding just less than half, or half if the kept part is odd; a carry out of the
        // mantissa increments the exponent, which is correct.
        int odd = (bits >>> shift()) & 1;
        int half = (1 << (shift() - 1)) - 1;
        return (bits - firstNormalBits() + (1 << FLOAT_MANTISSA_BITS) + half + odd) >>> shift();
    }
}

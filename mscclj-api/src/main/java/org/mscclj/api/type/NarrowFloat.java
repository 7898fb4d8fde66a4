package org.mscclj.api.type;

/**
 * A floating-point format of 8 or 16 bits: it converts numbers to encodings and back.
 *
 * <p>Encodings here have no sign bit; {@link DataType} adds it.
 *
 * @param mantissaBits stored bits of the mantissa
 * @param bias bias of the exponent
 * @param largest encoding of the largest finite number
 * @param overflow encoding of numbers that are too large: infinity, or {@code largest} in a format that saturates
 * @param infinity encoding of infinity, or {@code nan} in a format without
 * @param nan encoding of the canonical NaN
 */
record NarrowFloat(int mantissaBits, int bias, int largest, int overflow, int infinity, int nan) {
    static final NarrowFloat FLOAT16 = new NarrowFloat(10, 15, 0x7bff, 0x7c00, 0x7c00, 0x7e00);
    static final NarrowFloat BFLOAT16 = new NarrowFloat(7, 127, 0x7f7f, 0x7f80, 0x7f80, 0x7fc0);
    static final NarrowFloat E4M3 = new NarrowFloat(3, 7, 0x7e, 0x7e, 0x7f, 0x7f);
    static final NarrowFloat E5M2 = new NarrowFloat(2, 15, 0x7b, 0x7b, 0x7c, 0x7f);

    /** The encoding nearest to a magnitude, ties to even. One rounding, from binary64. */
    int encode(double magnitude) {
        if (Double.isNaN(magnitude)) {
            return nan;
        }
        if (Double.isInfinite(magnitude)) {
            return overflow;
        }
        int exponent = Math.max(Math.getExponent(magnitude), 1 - bias); // subnormals share the least exponent
        // scaling by a power of two is exact, and so is the rounded quotient: at most mantissaBits + 1 bits
        long quanta = (long) Math.rint(Math.scalb(magnitude, mantissaBits - exponent));
        // the quanta of a subnormal are its encoding; otherwise the leading bit adds one to the exponent's field, and
        // so does a carry out of the mantissa
        long encoding = ((long) (exponent + bias - 1) << mantissaBits) + quanta;
        return encoding > largest ? overflow : (int) encoding;
    }

    /** The value of an encoding. Exact. */
    double decode(int encoding) {
        if (encoding > largest) {
            return encoding == infinity && infinity != nan ? Double.POSITIVE_INFINITY : Double.NaN;
        }
        int field = encoding >>> mantissaBits;
        int mantissa = encoding & ((1 << mantissaBits) - 1);
        int leading = field == 0 ? 0 : 1 << mantissaBits;
        return Math.scalb((double) (leading + mantissa), Math.max(field, 1) - bias - mantissaBits);
    }
}

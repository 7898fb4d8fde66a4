package org.mscclj.conformance.element;

import org.mscclj.api.type.DataType;

/** Converts between the bits of a floating-point element, which are the low bits of a {@code long}, and its value. */
public final class ElementCodec {
    private final DataType type;
    /** The value of each bit pattern of a type of at most 16 bits; empty for wider types. */
    private final float[] decoded;

    /**
     * Creates the codec of a type.
     *
     * @param type a floating-point type
     */
    public ElementCodec(DataType type) {
        this.type = type;
        this.decoded = type.byteSize() > Short.BYTES ? new float[0] : table(FloatLayout.of(type), type);
    }

    private static float[] table(FloatLayout layout, DataType type) {
        float[] table = new float[1 << (Byte.SIZE * type.byteSize())];
        for (int bits = 0; bits < table.length; bits++) {
            table[bits] = (float) layout.decode(bits);
        }
        return table;
    }

    /** Returns the value of the bits. */
    public double decode(long bits) {
        return switch (type) {
            case FLOAT64 -> Double.longBitsToDouble(bits);
            case FLOAT32 -> Float.intBitsToFloat((int) bits);
            default -> decoded[(int) bits];
        };
    }

    /**
     * Returns the bits of a value, rounded to nearest even. The fp8 types saturate; every other type overflows to
     * infinity.
     */
    public long encode(double value) {
        return switch (type) {
            case FLOAT64 -> Double.doubleToLongBits(value);
            case FLOAT32 -> Integer.toUnsignedLong(Float.floatToIntBits((float) value));
            default -> FloatLayout.of(type).encode(value);
        };
    }

    /** Returns the element nearest to a value. */
    public double round(double value) {
        return decode(encode(value));
    }

    /**
     * Returns the bits of the significand, including the hidden bit. Whole numbers up to 2<sup>precision</sup> are
     * elements.
     */
    public int precision() {
        return mantissaBits() + 1;
    }

    /** Returns the stored bits of the mantissa. */
    public int mantissaBits() {
        return type == DataType.FLOAT64 ? 52 : FloatLayout.of(type).mantissaBits();
    }

    /** Returns the bias: what the format adds to an exponent to store it. */
    public int bias() {
        return type == DataType.FLOAT64
                ? Double.MAX_EXPONENT
                : FloatLayout.of(type).bias();
    }

    /** Returns the largest finite value. */
    public double largest() {
        return type == DataType.FLOAT64
                ? Double.MAX_VALUE
                : FloatLayout.of(type).largest();
    }

    /** Returns the smallest value above 0. */
    public double leastPositive() {
        return decode(1);
    }

    /** Returns the distance from 1 to the next larger element. */
    public double epsilon() {
        return Math.scalb(1.0, -mantissaBits());
    }
}

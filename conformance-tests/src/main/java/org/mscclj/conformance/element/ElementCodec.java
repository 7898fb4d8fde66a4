package org.mscclj.conformance.element;

import org.mscclj.api.type.DataType;

/** Between the bits of a floating-point element, as the low bits of a {@code long}, and the number that they mean. */
public final class ElementCodec {
    private final DataType type;
    /** Every number of a type of at most 16 bits, by its bits; empty for others. */
    private final float[] decoded;

    /**
     * The codec of a type.
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

    /** The number that the bits mean. */
    public double decode(long bits) {
        return switch (type) {
            case FLOAT64 -> Double.longBitsToDouble(bits);
            case FLOAT32 -> Float.intBitsToFloat((int) bits);
            default -> decoded[(int) bits];
        };
    }

    /** Rounds to nearest even; fp8 saturates, every other type overflows to infinity. */
    public long encode(double value) {
        return switch (type) {
            case FLOAT64 -> Double.doubleToLongBits(value);
            case FLOAT32 -> Integer.toUnsignedLong(Float.floatToIntBits((float) value));
            default -> FloatLayout.of(type).encode(value);
        };
    }

    /** The element nearest to a number. */
    public double round(double value) {
        return decode(encode(value));
    }

    /** Bits of the significand, the hidden one included: whole numbers up to 2<sup>precision</sup> are elements. */
    public int precision() {
        return mantissaBits() + 1;
    }

    /** Stored bits of the mantissa. */
    public int mantissaBits() {
        return type == DataType.FLOAT64 ? 52 : FloatLayout.of(type).mantissaBits();
    }

    /** What is added to an exponent to store it. */
    public int bias() {
        return type == DataType.FLOAT64
                ? Double.MAX_EXPONENT
                : FloatLayout.of(type).bias();
    }

    /** The largest finite number. */
    public double largest() {
        return type == DataType.FLOAT64
                ? Double.MAX_VALUE
                : FloatLayout.of(type).largest();
    }

    /** The least number above 0. */
    public double leastPositive() {
        return decode(1);
    }

    /** The distance from 1 to the next larger element. */
    public double epsilon() {
        return Math.scalb(1.0, -mantissaBits());
    }
}

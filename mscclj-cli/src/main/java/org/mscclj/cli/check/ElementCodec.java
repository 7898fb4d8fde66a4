package org.mscclj.cli.check;

import org.mscclj.api.type.DataType;

/** Between the bits of a floating-point element, as the low bits of a {@code long}, and the number that they mean. */
final class ElementCodec {
    private final DataType type;
    /** Every number of a type of at most 16 bits, by its bits; empty for others. */
    private final float[] decoded;

    ElementCodec(DataType type) {
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

    double decode(long bits) {
        return switch (type) {
            case FLOAT64 -> Double.longBitsToDouble(bits);
            case FLOAT32 -> Float.intBitsToFloat((int) bits);
            default -> decoded[(int) bits];
        };
    }

    /** Rounds to nearest even; fp8 saturates, every other type overflows to infinity. */
    long encode(double value) {
        return switch (type) {
            case FLOAT64 -> Double.doubleToLongBits(value);
            case FLOAT32 -> Integer.toUnsignedLong(Float.floatToIntBits((float) value));
            default -> FloatLayout.of(type).encode(value);
        };
    }

    /** The element nearest to a number. */
    double round(double value) {
        return decode(encode(value));
    }

    /** Bits of the significand, the hidden one included: whole numbers up to 2<sup>precision</sup> are elements. */
    int precision() {
        return mantissaBits() + 1;
    }

    int mantissaBits() {
        return type == DataType.FLOAT64 ? 52 : FloatLayout.of(type).mantissaBits();
    }

    int bias() {
        return type == DataType.FLOAT64
                ? Double.MAX_EXPONENT
                : FloatLayout.of(type).bias();
    }

    double largest() {
        return type == DataType.FLOAT64
                ? Double.MAX_VALUE
                : FloatLayout.of(type).largest();
    }

    /** The distance from 1 to the next larger element. */
    double epsilon() {
        return Math.scalb(1.0, -mantissaBits());
    }
}

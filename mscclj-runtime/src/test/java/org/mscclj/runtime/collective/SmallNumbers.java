package org.mscclj.runtime.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.api.type.DataType;

/** Whole numbers from 0 to 16 as elements of every type, in which they are exact. */
final class SmallNumbers {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private SmallNumbers() {}

    static void set(MemorySegment memory, DataType type, long index, int value) {
        long bits = bits(type, value);
        long offset = index * type.byteSize();
        switch (type.byteSize()) {
            case 1 -> memory.set(ValueLayout.JAVA_BYTE, offset, (byte) bits);
            case 2 -> memory.set(SHORT, offset, (short) bits);
            case 4 -> memory.set(INT, offset, (int) bits);
            default -> memory.set(LONG, offset, bits);
        }
    }

    static boolean is(MemorySegment memory, DataType type, long index, int value) {
        return raw(memory, type, index) == bits(type, value);
    }

    /** The bits of an element. */
    static long raw(MemorySegment memory, DataType type, long index) {
        long offset = index * type.byteSize();
        return switch (type.byteSize()) {
            case 1 -> memory.get(ValueLayout.JAVA_BYTE, offset) & 0xFFL;
            case 2 -> memory.get(SHORT, offset) & 0xFFFFL;
            case 4 -> memory.get(INT, offset) & 0xFFFF_FFFFL;
            default -> memory.get(LONG, offset);
        };
    }

    private static long bits(DataType type, int value) {
        return switch (type) {
            case FLOAT16 -> Float.floatToFloat16(value) & 0xFFFFL;
            case BFLOAT16 -> Float.floatToIntBits(value) >>> 16;
            case FLOAT32 -> Float.floatToIntBits(value) & 0xFFFF_FFFFL;
            case FLOAT64 -> Double.doubleToLongBits(value);
            case FLOAT8_E4M3 -> narrow(value, 3, 7);
            case FLOAT8_E5M2 -> narrow(value, 2, 15);
            default -> value;
        };
    }

    private static long narrow(int value, int mantissaBits, int bias) {
        if (value == 0) {
            return 0;
        }
        int exponent = 31 - Integer.numberOfLeadingZeros(value);
        long mantissa = ((long) value << mantissaBits >> exponent) & ((1L << mantissaBits) - 1);
        return ((long) (exponent + bias) << mantissaBits) | mantissa;
    }
}

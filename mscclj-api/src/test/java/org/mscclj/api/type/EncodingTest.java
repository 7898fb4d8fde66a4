package org.mscclj.api.type;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mscclj.api.error.InvalidArgumentException;

class EncodingTest {
    private static final int FLOAT16_VALUES = 1 << 16;

    @ParameterizedTest
    @EnumSource(
            value = DataType.class,
            names = {"INT8", "UINT8", "INT16", "UINT16", "FLOAT16", "BFLOAT16", "FLOAT8_E4M3", "FLOAT8_E5M2"})
    void everyElementIsTheNearestToItself(DataType type) {
        for (long bits = 0; bits < 1L << type.byteSize() * Byte.SIZE; bits++) {
            double value = type.decode(bits);
            if (Double.isNaN(value)) {
                assertTrue(Double.isNaN(type.decode(type.encode(value))));
            } else if (!Double.isInfinite(value) || type != DataType.FLOAT8_E5M2) { // fp8 saturates
                assertEquals(bits, type.encode(value), type + " " + value);
            }
        }
    }

    @Test
    void float16IsTheJdks() {
        for (int bits = 0; bits < FLOAT16_VALUES; bits++) {
            float jdk = Float.float16ToFloat((short) bits);
            assertEquals(jdk, (float) DataType.FLOAT16.decode(bits));
        }
    }

    @Property(tries = 20_000)
    void float16RoundsLikeTheJdk(@ForAll float value) {
        short jdk = Float.isNaN(value) ? (short) 0x7e00 : Float.floatToFloat16(value);
        assertEquals(Short.toUnsignedLong(jdk), DataType.FLOAT16.encode(value));
    }

    /** The distance to the result is at most that to the elements beside it; of equal distances the even one wins. */
    @Property(tries = 20_000)
    void narrowTypesRoundToNearestEven(@ForAll @DoubleRange(min = -70_000, max = 70_000) double value) {
        for (DataType type :
                new DataType[] {DataType.FLOAT16, DataType.BFLOAT16, DataType.FLOAT8_E4M3, DataType.FLOAT8_E5M2}) {
            long sign = 1L << (type.byteSize() * Byte.SIZE - 1);
            long bits = type.encode(value) & ~sign;
            double result = type.decode(bits);
            if (Double.isInfinite(result)) {
                assertTrue(Math.abs(value) >= 65_520, type + " " + value);
                continue;
            }
            double above = type.decode(bits + 1);
            double error = Math.abs(Math.abs(value) - result);
            if (Double.isFinite(above)) { // else the result is the greatest, where fp8 saturates
                double other = Math.abs(above - Math.abs(value));
                assertTrue(error < other || error == other && bits % 2 == 0, type + " " + value + ": " + result);
            }
            if (bits > 0) {
                double other = Math.abs(Math.abs(value) - type.decode(bits - 1));
                assertTrue(error < other || error == other && bits % 2 == 0, type + " " + value + ": " + result);
            }
        }
    }

    @Test
    void fp8SaturatesAndWiderTypesOverflow() {
        assertEquals(448, DataType.FLOAT8_E4M3.decode(DataType.FLOAT8_E4M3.encode(1e9)));
        assertEquals(-448, DataType.FLOAT8_E4M3.decode(DataType.FLOAT8_E4M3.encode(Double.NEGATIVE_INFINITY)));
        assertEquals(57_344, DataType.FLOAT8_E5M2.decode(DataType.FLOAT8_E5M2.encode(Double.POSITIVE_INFINITY)));
        assertEquals(Double.POSITIVE_INFINITY, DataType.FLOAT16.decode(DataType.FLOAT16.encode(65_520d)));
        assertEquals(65_504, DataType.FLOAT16.decode(DataType.FLOAT16.encode(65_519d)));
        assertEquals(Double.NEGATIVE_INFINITY, DataType.FLOAT32.decode(DataType.FLOAT32.encode(-1e300)));
    }

    @Test
    void integersOfEveryRange() {
        assertEquals(0x80, DataType.INT8.encode(-128L));
        assertEquals(-128, DataType.INT8.decode(0x80));
        assertEquals(0xffff_ffffL, DataType.UINT32.encode(4_294_967_295d));
        assertEquals(-1L, DataType.UINT64.encode(0x1p64 - 2048) | 2047);
        assertEquals(0x1p64, DataType.UINT64.decode(-1L));
        assertEquals(Long.MIN_VALUE, DataType.INT64.encode(Long.MIN_VALUE));
    }

    @Test
    void integersThatTheTypeLacksAreRefused() {
        assertEquals(
                "value is 1.5; allowed: for int8 a whole number from -128 to 127",
                assertThrows(InvalidArgumentException.class, () -> DataType.INT8.encode(1.5))
                        .getMessage());
        assertEquals(
                "value is -1; allowed: for uint64 a whole number from 0 to 18446744073709551615",
                assertThrows(InvalidArgumentException.class, () -> DataType.UINT64.encode(-1L))
                        .getMessage());
        assertThrows(InvalidArgumentException.class, () -> DataType.INT32.encode(Double.NaN));
        assertThrows(InvalidArgumentException.class, () -> DataType.INT64.encode(0x1p63));
    }
}

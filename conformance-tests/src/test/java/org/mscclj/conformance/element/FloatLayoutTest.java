package org.mscclj.conformance.element;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.mscclj.api.type.DataType;

/** Conversions, against the JDK's and against the OCP tables. */
class FloatLayoutTest {
    @Test
    void float16IsTheJdks() {
        FloatLayout layout = FloatLayout.of(DataType.FLOAT16);
        for (int bits = 0; bits < 1 << Short.SIZE; bits++) {
            assertEquals(Float.float16ToFloat((short) bits), layout.decode(bits));
        }
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 100_000; i++) {
            float value = Float.intBitsToFloat(random.nextInt());
            if (!Float.isNaN(value)) {
                assertEquals(Short.toUnsignedLong(Float.floatToFloat16(value)), layout.encode(value), () -> "" + value);
            }
        }
    }

    @Test
    void float32IsTheJdks() {
        FloatLayout layout = FloatLayout.of(DataType.FLOAT32);
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < 100_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong() >> 4 & ~(1L << 62) | 1L << 61);
            if (!Double.isNaN(value)) {
                assertEquals(
                        Integer.toUnsignedLong(Float.floatToIntBits((float) value)),
                        layout.encode(value),
                        () -> "" + value);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16", "FLOAT8_E4M3", "FLOAT8_E5M2"})
    void everyFiniteEncodingSurvives(DataType type) {
        FloatLayout layout = FloatLayout.of(type);
        for (int bits = 0; bits < 1 << Byte.SIZE * type.byteSize(); bits++) {
            double value = layout.decode(bits);
            if (Double.isFinite(value)) {
                assertEquals(bits, layout.encode(value));
            }
        }
        assertTrue(Double.isNaN(layout.decode(layout.encode(Double.NaN))));
    }

    @ParameterizedTest
    @CsvSource({
        // type, value, bits
        "FLOAT8_E4M3, 448, 0x7e",
        "FLOAT8_E4M3, -448, 0xfe",
        "FLOAT8_E4M3, 1e9, 0x7e",
        "FLOAT8_E4M3, Infinity, 0x7e",
        "FLOAT8_E4M3, NaN, 0x7f",
        "FLOAT8_E4M3, 0.001953125, 0x01", // 2^-9, the least subnormal
        "FLOAT8_E4M3, 0.0009765625, 0x00", // half of it: a tie, to even
        "FLOAT8_E4M3, 0.015625, 0x08", // 2^-6, the least normal
        "FLOAT8_E4M3, 1.0625, 0x38", // a tie, to even
        "FLOAT8_E4M3, 1.1875, 0x3a", // a tie, to even
        "FLOAT8_E4M3, 1.97, 0x40", // carries into the exponent
        "FLOAT8_E5M2, 57344, 0x7b",
        "FLOAT8_E5M2, 1e9, 0x7b",
        "FLOAT8_E5M2, -Infinity, 0xfb",
        "FLOAT8_E5M2, 1.125, 0x3c",
        "FLOAT8_E5M2, 0.0000152587890625, 0x01", // 2^-16
        "BFLOAT16, 1, 0x3f80",
        "BFLOAT16, 1.00390625, 0x3f80", // a tie, to even
        "BFLOAT16, 1.01171875, 0x3f82", // a tie, to even
        "BFLOAT16, 3.4e38, 0x7f80",
        "BFLOAT16, -0.0, 0x8000",
        "FLOAT16, 65519, 0x7bff",
        "FLOAT16, 65520, 0x7c00",
    })
    void encodes(DataType type, double value, String bits) {
        assertEquals(bits, hex(type, FloatLayout.of(type).encode(value)));
    }

    private static String hex(DataType type, long bits) {
        return ("0x%0" + 2 * type.byteSize() + "x").formatted(bits);
    }
}

package org.mscclj.conformance.element;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** The reference, on cases worked out by hand. */
class ReductionTest {

    @ParameterizedTest
    @CsvSource({
        // type, operation, contributions, result
        "INT8, sum, 100 100 100, 44",
        "INT8, sum, -128 -1, 127",
        "INT8, product, 100 3, 44",
        "INT8, min, 1 -2 3, -2",
        "INT8, max, 1 -2 3, 3",
        "INT8, avg, 1 -2 -3, -1",
        "INT8, avg, 100 100, 100", // though the sum wraps
        "INT8, premul-sum:3, 20 30, -106",
        "UINT8, sum, 200 100, 44",
        "UINT8, min, 255 1, 1",
        "UINT8, max, 255 1, 255",
        "UINT8, avg, 200 100, 150",
        "UINT8, band, 12 10, 8",
        "INT16, sum, 32767 1, -32768",
        "INT16, avg, -7 0, -3",
        "UINT16, max, 65535 1, 65535",
        "UINT16, avg, 65535 1 2, 21846",
        "INT32, sum, 2147483647 1, -2147483648",
        "INT32, product, 65536 65536, 0",
        "INT32, premul-sum:-2, 5 6, -22",
        "INT32, bor, 12 10, 14",
        "INT32, bxor, 12 10, 6",
        "UINT32, min, 4294967295 1, 1",
        "UINT32, avg, 4294967295 4294967295, 4294967295",
        "INT64, sum, 9223372036854775807 1, -9223372036854775808",
        "INT64, avg, -9 2, -3",
        "UINT64, max, 18446744073709551615 1, 18446744073709551615",
        "UINT64, min, 18446744073709551615 1, 1",
        "UINT64, avg, 18446744073709551615 0, 9223372036854775807",
        "UINT64, avg, 18446744073709551615 18446744073709551615 18446744073709551612, 18446744073709551614",
        "INT64, avg, -9223372036854775808 -9223372036854775808 -9223372036854775806, -9223372036854775807",
    })
    void integers(DataType type, String op, String contributions, String result) {
        String[] texts = contributions.split(" ");
        Reduction reduction = Reduction.of(type, ReduceOp.parse(op), texts.length);
        reduction.start();
        Arrays.stream(texts).forEach(text -> reduction.add(bits(type, text)));
        reduction.finish();
        assertEquals(result, reduction.expected());
        assertTrue(reduction.accepts(bits(type, result)));
        assertFalse(reduction.accepts(bits(type, result) ^ 1));
        assertEquals(result, reduction.text(bits(type, result)));
    }

    private static long bits(DataType type, String text) {
        long value = text.startsWith("-") ? Long.parseLong(text) : Long.parseUnsignedLong(text);
        return type.byteSize() == Long.BYTES ? value : value & (1L << Byte.SIZE * type.byteSize()) - 1;
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64", "FLOAT8_E4M3", "FLOAT8_E5M2"})
    void floatsOfWholeNumbersAreExact(DataType type) {
        assertExact(type, "sum", 3, 1, 2);
        assertExact(type, "sum", 0, 2, -2);
        assertExact(type, "avg", 1.5, 1, 2);
        assertExact(type, "product", -4, -1, 2, 0.5, 4);
        assertExact(type, "min", -2, 1, -2, 3);
        assertExact(type, "max", 3, 1, -2, 3);
        assertExact(type, "min", -0.0, 0.0, -0.0);
        assertExact(type, "max", 0.0, 0.0, -0.0);
        assertExact(type, "min", Double.NaN, 1, Double.NaN);
        assertExact(type, "max", Double.NaN, Double.NaN, 1);
        assertExact(type, "premul-sum:0.5", 1.5, 1, 2);
        assertExact(type, "premul-sum:-2", -6, 1, 2);
    }

    private static void assertExact(DataType type, String op, double result, double... contributions) {
        ElementCodec codec = new ElementCodec(type);
        Reduction reduction = reduce(type, op, contributions);
        String what = op + " of " + Arrays.toString(contributions) + ": " + reduction.expected();
        long bits = codec.encode(result);
        assertTrue(reduction.accepts(bits), what);
        if (result != 0 && !Double.isNaN(result)) {
            assertFalse(reduction.accepts(bits + 1), what);
            assertFalse(reduction.accepts(bits - 1), what);
        }
        if (op.startsWith("m") && result == 0) {
            assertFalse(reduction.accepts(codec.encode(-result)), what);
        }
    }

    private static Reduction reduce(DataType type, String op, double... contributions) {
        ElementCodec codec = new ElementCodec(type);
        Reduction reduction = Reduction.of(type, ReduceOp.parse(op), contributions.length);
        reduction.start();
        for (double contribution : contributions) {
            reduction.add(codec.encode(contribution));
        }
        reduction.finish();
        return reduction;
    }

    @Test
    void toleranceIsRanksLessOneTimesEpsilonTimesTheSumOfMagnitudes() {
        // 2 * 2^-10 * 1.75 = 0.00341796875 around 0.75
        Reduction reduction = reduce(DataType.FLOAT16, "sum", 0.5, 0.75, -0.5);
        ElementCodec codec = new ElementCodec(DataType.FLOAT16);
        assertTrue(reduction.accepts(codec.encode(0.75)));
        assertTrue(reduction.accepts(codec.encode(0.7529296875)));
        assertFalse(reduction.accepts(codec.encode(0.75390625)));
        assertTrue(reduction.accepts(codec.encode(0.7470703125)));
        assertFalse(reduction.accepts(codec.encode(0.74609375)));
        assertFalse(reduction.accepts(codec.encode(Double.NaN)));
    }

    @Test
    void averagesThatAreNotExactHaveARange() {
        ElementCodec codec = new ElementCodec(DataType.BFLOAT16);
        Reduction reduction = reduce(DataType.BFLOAT16, "avg", 1, 0, 0);
        assertTrue(reduction.accepts(codec.encode(1f / 3f)));
        assertTrue(reduction.accepts(codec.encode(1f / 3f) + 1), "contributions may be scaled one by one");
        assertFalse(reduction.accepts(codec.encode(1f / 3f) + 8));
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64", "FLOAT8_E4M3", "FLOAT8_E5M2"})
    void averagesOfTheLargestDoNotOverflow(DataType type) {
        ElementCodec codec = new ElementCodec(type);
        double largest = codec.largest();
        for (double[] contributions : new double[][] {{largest, largest}, {largest, largest, largest}}) {
            Reduction reduction = reduce(type, "avg", contributions);
            assertTrue(reduction.accepts(codec.encode(largest)), reduction.expected());
            boolean isFine = codec.mantissaBits() > 3;
            assertFalse(
                    isFine && reduction.accepts(codec.encode(largest / contributions.length)), reduction.expected());
            assertFalse(reduction.accepts(codec.encode(Double.POSITIVE_INFINITY))
                    && !type.label().contains("8_"));
        }
        assertTrue(reduce(type, "premul-sum:0.25", largest, largest).accepts(codec.encode(largest / 2)));
    }

    @Test
    void fp8SaturatesAndTheOthersOverflow() {
        assertExact(DataType.FLOAT8_E4M3, "premul-sum:1000", 448, 1, 2);
        assertExact(DataType.FLOAT8_E5M2, "premul-sum:-100000", -57344, 1, 2);
        assertTrue(reduce(DataType.FLOAT16, "premul-sum:100000", 1, 2).accepts(0x7c00));
        // Minimum and maximum give one of the contributions as it is; 0xfc is the infinity that conversion never gives.
        Reduction minimum = Reduction.of(DataType.FLOAT8_E5M2, ReduceOp.MIN, 2);
        minimum.start();
        minimum.add(0xfc);
        minimum.add(0x3c);
        minimum.finish();
        assertTrue(minimum.accepts(0xfc));
        assertFalse(minimum.accepts(0xfb));
    }
}

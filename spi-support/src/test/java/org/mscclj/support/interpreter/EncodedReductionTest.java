package org.mscclj.support.interpreter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** Rules of SPEC 3 at values where a simpler arithmetic is wrong. */
class EncodedReductionTest {
    @ParameterizedTest
    @CsvSource({
        "INT8, SUM, 7f, 1, 80", // wraps
        "INT8, MIN, ff, 1, ff", // -1 is less than 1
        "UINT8, MIN, ff, 1, 1", // 255 is not
        "UINT64, MAX, ffffffffffffffff, 1, ffffffffffffffff",
        "INT64, MAX, ffffffffffffffff, 1, 1",
        "UINT16, BXOR, ff0f, f, ff00",
        "FLOAT32, MIN, 80000000, 0, 80000000", // -0 is less than +0
        "FLOAT32, MAX, ffc00001, 3f800000, 7fc00000", // NaN, canonical
        "FLOAT16, SUM, 7bff, 7bff, 7c00", // overflows to infinity
        "BFLOAT16, SUM, 3f80, 3b80, 3f80", // a tie, to even
        "BFLOAT16, SUM, 3f81, 3b80, 3f82",
        "FLOAT8_E4M3, SUM, 7e, 7e, 7e", // saturates
        "FLOAT8_E5M2, SUM, 7c, 0, 7b", // from infinity too
        "FLOAT8_E5M2, MAX, 7c, 0, 7c", // but for a selection
        "FLOAT64, PRODUCT, 4000000000000000, 4008000000000000, 4018000000000000"
    })
    void combines(DataType type, ReduceOp.Kind kind, String left, String right, String result) {
        long[] encodings = {Long.parseUnsignedLong(left, 16), Long.parseUnsignedLong(right, 16)};
        byte[] element = new byte[Long.BYTES];
        EncodedElements.set(type, element, 0, EncodedReduction.of(type, kind).reduce(encodings));
        assertEquals(result, Long.toHexString(EncodedElements.get(type, element, 0)));
    }

    /** Rounding after each sum would return 256. */
    @Test
    void narrowTypesAreRoundedOnce() {
        long[] encodings = {0x4380, 0x3f80, 0x3f80}; // 256 + 1 + 1 in bfloat16, whose next number is 258
        assertEquals(
                0x4381,
                EncodedReduction.of(DataType.BFLOAT16, ReduceOp.Kind.SUM).reduce(encodings));
    }

    @Test
    void undefinedOperationsAreRefused() {
        assertThrows(InvalidArgumentException.class, () -> EncodedReduction.of(DataType.FLOAT32, ReduceOp.Kind.BAND));
        assertThrows(InvalidArgumentException.class, () -> EncodedReduction.of(DataType.INT32, ReduceOp.Kind.AVG));
    }
}

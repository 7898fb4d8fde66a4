package org.mscclj.spi.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** No sum of addends leaves the range of their type. */
class SumFormTest {
    @Test
    void wideTypesKeepTheirSize() {
        assertTrue(SumForm.of(DataType.FLOAT32, ReduceOp.Kind.AVG, 3).isInPlaceOf(DataType.FLOAT32));
        assertTrue(SumForm.of(DataType.FLOAT64, ReduceOp.Kind.PREMUL_SUM, 3).isInPlaceOf(DataType.FLOAT64));
        assertTrue(SumForm.of(DataType.BFLOAT16, ReduceOp.Kind.AVG, 8).isInPlaceOf(DataType.BFLOAT16));
        assertTrue(SumForm.of(DataType.INT8, ReduceOp.Kind.PREMUL_SUM, 8).isInPlaceOf(DataType.INT8));
        assertEquals(
                DataType.FLOAT32,
                SumForm.of(DataType.BFLOAT16, ReduceOp.Kind.AVG, 3).type());
        assertEquals(
                DataType.FLOAT32,
                SumForm.of(DataType.FLOAT8_E4M3, ReduceOp.Kind.PREMUL_SUM, 2).type());
    }

    @Test
    void sizesAreThoseOfAllAddends() {
        SumForm pairs = SumForm.of(DataType.UINT64, ReduceOp.Kind.AVG, 5);
        assertEquals(2, pairs.addends());
        assertEquals(16 * 7, pairs.bytes(8 * 7, DataType.UINT64));
        assertEquals(
                4 * 7, SumForm.of(DataType.FLOAT8_E5M2, ReduceOp.Kind.AVG, 5).bytes(7, DataType.FLOAT8_E5M2));
    }

    @Test
    void onlyScaledSumsHaveAddends() {
        assertFalse(SumForm.isFor(ReduceOp.Kind.SUM, 4));
        assertFalse(SumForm.isFor(ReduceOp.Kind.AVG, 1), "an average of one rank is its contribution");
        assertTrue(SumForm.isFor(ReduceOp.Kind.PREMUL_SUM, 1));
        assertThrows(InvalidArgumentException.class, () -> SumForm.of(DataType.INT8, ReduceOp.Kind.SUM, 4));
    }

    @Property
    void scalesAndDivisorsMakeAnAverage(@ForAll @IntRange(min = 2, max = 1 << 24) int ranks) {
        SumForm form = SumForm.of(DataType.FLOAT32, ReduceOp.Kind.AVG, ranks);
        assertEquals(ranks, form.divisor() / form.scale());
        assertTrue(form.divisor() > 0.5 && form.divisor() <= 1);
        assertEquals(form.divisor(), (float) form.divisor(), "exact in float32");
    }

    @Property
    void sumsOfIntegersFit(@ForAll DataType type, @ForAll @IntRange(min = 2, max = 65_536) int ranks) {
        if (type.isFloat() || type.byteSize() == Long.BYTES) {
            return;
        }
        SumForm form = SumForm.of(type, ReduceOp.Kind.AVG, ranks);
        int signBits = type.family() == DataType.Family.SIGNED ? 1 : 0;
        double largest = Math.scalb(1.0, Byte.SIZE * type.byteSize() - signBits);
        double room = Math.scalb(1.0, Byte.SIZE * form.type().byteSize() - signBits);
        assertTrue(largest * ranks <= room, () -> ranks + " ranks of " + type + " in " + form.type());
    }
}

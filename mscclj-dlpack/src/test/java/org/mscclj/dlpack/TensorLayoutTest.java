package org.mscclj.dlpack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;

class TensorLayoutTest {
    private static TensorLayout of(List<Long> shape, List<Long> strides) {
        return new TensorLayout(DataType.FLOAT16, shape, strides);
    }

    @Test
    void contiguousIsInCOrder() {
        TensorLayout layout = TensorLayout.contiguous(DataType.FLOAT32, 2, 3, 4);
        assertEquals(List.of(12L, 4L, 1L), layout.strides());
        assertEquals(24, layout.elements());
        assertEquals(96, layout.byteSpan());
        assertTrue(layout.isContiguous());
        assertTrue(layout.isDense());
    }

    @Test
    void scalarsAndEmptyTensorsAreContiguous() {
        TensorLayout scalar = TensorLayout.contiguous(DataType.INT64);
        assertEquals(1, scalar.elements());
        assertEquals(8, scalar.byteSpan());
        assertTrue(scalar.isContiguous() && scalar.isDense());
        TensorLayout empty = TensorLayout.contiguous(DataType.INT64, 3, 0, 5);
        assertEquals(0, empty.elements());
        assertEquals(0, empty.byteSpan());
        assertTrue(empty.isContiguous() && empty.isDense());
        TensorLayout strange = of(List.of(0L, 7L), List.of(3L, 3L));
        assertTrue(strange.isContiguous() && strange.isDense());
    }

    @Test
    void denseTensorsHaveNeitherGapsNorOverlaps() {
        TensorLayout transposed = of(List.of(3L, 4L), List.of(1L, 3L));
        assertTrue(transposed.isDense());
        assertFalse(transposed.isContiguous());
        assertTrue(of(List.of(1L, 4L), List.of(99L, 1L)).isContiguous(), "size 1 has no neighbours");
        assertFalse(of(List.of(3L, 4L), List.of(5L, 1L)).isDense(), "a gap");
        assertFalse(of(List.of(3L, 4L), List.of(0L, 1L)).isDense(), "an overlap");
        assertFalse(of(List.of(3L, 4L), List.of(3L, 1L)).isDense(), "an overlap");
        assertEquals(28, of(List.of(3L, 4L), List.of(5L, 1L)).byteSpan());
    }

    @Test
    void strideOfAShortDimensionIsIgnored() {
        TensorLayout row = of(List.of(1L, 4L), List.of(-4L, 1L));
        assertTrue(row.isContiguous() && row.isDense());
        assertEquals(8, row.byteSpan());
        TensorLayout empty = of(List.of(3L, 0L), List.of(-1L, -1L));
        assertTrue(empty.isContiguous() && empty.isDense());
        assertEquals(0, empty.byteSpan());
        TensorLayout large = of(List.of(0L, 1L << 40, 1L << 40), List.of(0L, 0L, 0L));
        assertTrue(large.isContiguous() && large.isDense());
    }

    @Test
    void invalidLayoutsAreRefused() {
        assertThrows(InvalidArgumentException.class, () -> TensorLayout.contiguous(DataType.INT8, 2, -1));
        assertThrows(InvalidArgumentException.class, () -> of(List.of(2L), List.of(-1L)));
        assertThrows(InvalidArgumentException.class, () -> of(List.of(2L, 3L), List.of(1L)));
        assertThrows(InvalidArgumentException.class, () -> TensorLayout.contiguous(DataType.INT8, 1L << 40, 1L << 40));
        assertThrows(InvalidArgumentException.class, () -> of(List.of(1L << 40, 1L << 40), List.of(0L, 0L)));
        assertThrows(
                InvalidArgumentException.class,
                () -> TensorLayout.contiguous(DataType.INT8, Collections.nCopies(65, 1L)));
        assertTrue(TensorLayout.contiguous(DataType.INT8, Collections.nCopies(64, 1L))
                .isContiguous());
    }
}

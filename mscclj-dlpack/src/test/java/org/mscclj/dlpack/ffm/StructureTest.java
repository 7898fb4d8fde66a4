package org.mscclj.dlpack.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.mscclj.dlpack.OtherSoftware;

/** Compares sizes and offsets with those of the C compiler. */
class StructureTest {
    @Test
    void offsetsAreThoseOfTheCompiler() {
        List<Long> ours = List.of(
                TensorStructure.BYTES,
                TensorStructure.DATA,
                TensorStructure.DEVICE_TYPE,
                TensorStructure.DEVICE_ID,
                TensorStructure.DIMENSIONS,
                TensorStructure.CODE,
                TensorStructure.BITS,
                TensorStructure.LANES,
                TensorStructure.SHAPE,
                TensorStructure.STRIDES,
                TensorStructure.BYTE_OFFSET,
                TensorForm.UNVERSIONED.bytes(),
                TensorForm.UNVERSIONED.tensorOffset(),
                TensorForm.UNVERSIONED.deleterOffset(),
                TensorForm.VERSIONED.bytes(),
                TensorForm.MAJOR_OFFSET,
                TensorForm.MINOR_OFFSET,
                TensorForm.VERSIONED.deleterOffset(),
                TensorForm.FLAGS_OFFSET,
                TensorForm.VERSIONED.tensorOffset());
        assertEquals(
                IntStream.range(0, ours.size()).mapToObj(OtherSoftware::layout).toList(), ours);
        assertEquals(-1, OtherSoftware.layout(ours.size()), "all are compared");
    }
}

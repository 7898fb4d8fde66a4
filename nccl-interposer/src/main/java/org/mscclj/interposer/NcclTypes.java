package org.mscclj.interposer;

import java.util.List;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** Data types and reductions by NCCL's numbers, which the library in C has checked. */
final class NcclTypes {
    private static final List<DataType> TYPES = List.of(
            DataType.INT8,
            DataType.UINT8,
            DataType.INT32,
            DataType.UINT32,
            DataType.INT64,
            DataType.UINT64,
            DataType.FLOAT16,
            DataType.FLOAT32,
            DataType.FLOAT64,
            DataType.BFLOAT16,
            DataType.FLOAT8_E4M3,
            DataType.FLOAT8_E5M2);

    private static final List<ReduceOp> REDUCTIONS =
            List.of(ReduceOp.SUM, ReduceOp.PRODUCT, ReduceOp.MAX, ReduceOp.MIN, ReduceOp.AVG);

    /** A number that the library gives to a sum of multiplied contributions, whose factor is an element. */
    private static final int PREMULTIPLIED = 5;

    /** A source of buffers for memory of the program. */
    interface ForeignMemory {
        /** Returns a buffer for memory of the program. */
        DeviceBuffer buffer(long address, long bytes);
    }

    private NcclTypes() {}

    /** Returns the type with a number. */
    static DataType type(int number) {
        return TYPES.get(number);
    }

    /**
     * Returns the reduction with a number.
     *
     * @param factor of a sum of multiplied contributions: the bits of an element, or its address on the device
     */
    static ReduceOp reduction(int number, DataType type, long factor, ForeignMemory memory) {
        if (number < PREMULTIPLIED) {
            return REDUCTIONS.get(number);
        }
        return number == PREMULTIPLIED
                ? ReduceOp.premulSum(type.decode(factor))
                : ReduceOp.premulSum(memory.buffer(factor, type.byteSize()));
    }
}

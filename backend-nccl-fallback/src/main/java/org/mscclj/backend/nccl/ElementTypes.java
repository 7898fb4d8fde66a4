package org.mscclj.backend.nccl;

import java.util.EnumSet;
import java.util.Set;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.nccl.ffm.NcclVersion;

/**
 * Which of NCCL's element types and operations are ours.
 *
 * @param version whose types they are
 */
record ElementTypes(NcclVersion version) {
    /** {@code ncclInt8}, as which anything can be moved. */
    static final int BYTE = 0;

    private static final NcclVersion FLOAT8_SINCE = NcclVersion.of(2, 24, 3);

    /** {@code ncclDataType_t} of a type that is to be reduced. */
    int reducible(DataType type) {
        return switch (type) {
            case INT8 -> BYTE;
            case UINT8 -> 1;
            case INT32 -> 2;
            case UINT32 -> 3;
            case INT64 -> 4;
            case UINT64 -> 5;
            case FLOAT16 -> 6;
            case FLOAT32 -> 7;
            case FLOAT64 -> 8;
            case BFLOAT16 -> 9;
            case FLOAT8_E4M3 -> float8(type, 10);
            case FLOAT8_E5M2 -> float8(type, 11);
            case INT16, UINT16 ->
                throw new UnsupportedException("NCCL does not reduce " + type + "; use int32 or int8");
        };
    }

    private int float8(DataType type, int code) {
        if (!version.isAtLeast(FLOAT8_SINCE)) {
            throw new UnsupportedException("NCCL reduces " + type + " from " + FLOAT8_SINCE + " on, and this is "
                    + version + "; install a later one");
        }
        return code;
    }

    /** {@code ncclRedOp_t}. */
    static int operation(ReduceOp op) {
        return switch (op.kind()) {
            case SUM -> 0;
            case PRODUCT -> 1;
            case MAX -> 2;
            case MIN -> 3;
            case AVG -> 4;
            case NOP, BAND, BOR, BXOR, PREMUL_SUM ->
                throw new UnsupportedException(
                        "NCCL has no reduction " + op + " here; use sum, product, min, max or avg");
        };
    }

    /** The types that can be reduced. */
    Set<DataType> reducibleTypes() {
        Set<DataType> types = EnumSet.allOf(DataType.class);
        types.removeAll(EnumSet.of(DataType.INT16, DataType.UINT16));
        if (!version.isAtLeast(FLOAT8_SINCE)) {
            types.removeAll(EnumSet.of(DataType.FLOAT8_E4M3, DataType.FLOAT8_E5M2));
        }
        return types;
    }

    /** The operations that there are. */
    static Set<ReduceOp.Kind> operations() {
        return EnumSet.of(
                ReduceOp.Kind.SUM, ReduceOp.Kind.PRODUCT, ReduceOp.Kind.MIN, ReduceOp.Kind.MAX, ReduceOp.Kind.AVG);
    }
}

package org.mscclj.dlpack;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.DataType;

/** DLPack's codes for the types of this library. */
final class TensorType {
    private static final int BITS = 8;
    private static final int INT = 0;
    private static final int UINT = 1;
    private static final int FLOAT = 2;
    private static final int BFLOAT = 4;
    private static final int FLOAT8_E4M3FN = 10;
    private static final int FLOAT8_E5M2 = 12;

    private TensorType() {}

    /** The code of a type. */
    static int code(DataType type) {
        return switch (type) {
            case INT8, INT16, INT32, INT64 -> INT;
            case UINT8, UINT16, UINT32, UINT64 -> UINT;
            case FLOAT16, FLOAT32, FLOAT64 -> FLOAT;
            case BFLOAT16 -> BFLOAT;
            case FLOAT8_E4M3 -> FLOAT8_E4M3FN; // without infinities; code 8 has them
            case FLOAT8_E5M2 -> FLOAT8_E5M2;
        };
    }

    /** The bits of an element. */
    static int bits(DataType type) {
        return BITS * type.byteSize();
    }

    /**
     * The type with a code.
     *
     * @throws UnsupportedException if there is none, or if elements are vectors
     */
    static DataType of(int code, int bits, int lanes) {
        return Arrays.stream(DataType.values())
                .filter(type -> lanes == 1 && code(type) == code && bits(type) == bits)
                .findFirst()
                .orElseThrow(() -> new UnsupportedException("elements of the tensor have DLPack's type code " + code
                        + ", " + bits + " bits, " + lanes + " lanes; supported, with one lane: "
                        + Arrays.stream(DataType.values())
                                .map(type -> type + " (code " + code(type) + ", " + bits(type) + " bits)")
                                .collect(Collectors.joining(", "))));
    }
}

package org.mscclj.spi.engine;

import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.DataType.Family;
import org.mscclj.api.type.ReduceOp;

/**
 * The addends whose sum a plan computes for an average or a premultiplied sum. The caller's elements become addends
 * before the plan starts, and its sums become the caller's elements when it has ended; {@code docs/decisions/0006}
 * explains the choice of the addends.
 *
 * <p>The form depends on the type, the operation and the number of ranks, which are equal on all ranks, and not on the
 * factor, which may differ between ranks.
 *
 * @param type the type of an addend
 * @param addends number of addends of an element: 1, or 2 for averages of integers of 64 bits, which become the
 *     quotient by the number of ranks, rounded down, and after it the element itself
 * @param scale the factor of an addend of a floating-point average before the sum: the reciprocal of the least power of
 *     two that is not less than the number of ranks. 1 for all other operations
 * @param divisor the divisor of a sum: for floating-point averages the number of ranks times {@code scale}, for
 *     averages of integers the number of ranks, 1 for premultiplied sums
 */
public record SumForm(DataType type, int addends, double scale, double divisor) {
    /** The largest number of ranks whose 8-bit integers have a sum of 16 bits. */
    private static final int MAX_RANKS_IN_16_BITS = 256;

    /**
     * The form for an operation.
     *
     * @param type the type of the caller's elements
     * @param op an average or a premultiplied sum
     * @param ranks number of ranks that contribute, 1 to 2<sup>24</sup>
     */
    public static SumForm of(DataType type, ReduceOp.Kind op, int ranks) {
        return switch (op) {
            case AVG -> type.isFloat() ? ofFloats(type, ranks) : ofIntegers(type, ranks);
            case PREMUL_SUM -> new SumForm(isNarrow(type) ? DataType.FLOAT32 : type, 1, 1, 1);
            default ->
                throw InvalidArgumentException.of("operation", op, "avg or premul-sum: all others are not scaled");
        };
    }

    /**
     * Whether calls of an operation are carried out as the sum of addends. An average of one rank's contribution is
     * that contribution.
     */
    public static boolean isFor(ReduceOp.Kind op, int ranks) {
        return op == ReduceOp.Kind.PREMUL_SUM || (op == ReduceOp.Kind.AVG && ranks > 1);
    }

    private static SumForm ofFloats(DataType type, int ranks) {
        double scale = 1;
        while (scale * ranks > 1) {
            scale /= 2;
        }
        double divisor = ranks * scale;
        boolean staysExact = type == DataType.BFLOAT16 && divisor == 1; // the exponent range of float32
        return new SumForm(isNarrow(type) && !staysExact ? DataType.FLOAT32 : type, 1, scale, divisor);
    }

    private static SumForm ofIntegers(DataType type, int ranks) {
        boolean signed = type.family() == Family.SIGNED;
        int bytes = type.byteSize();
        if (bytes == Long.BYTES) {
            return new SumForm(type, 2, 1, ranks);
        }
        DataType wide = bytes == Integer.BYTES
                ? signed ? DataType.INT64 : DataType.UINT64
                : bytes == Short.BYTES || ranks > MAX_RANKS_IN_16_BITS
                        ? signed ? DataType.INT32 : DataType.UINT32
                        : signed ? DataType.INT16 : DataType.UINT16;
        return new SumForm(wide, 1, 1, ranks);
    }

    private static boolean isNarrow(DataType type) {
        return type.isFloat() && type.byteSize() < Float.BYTES;
    }

    /** Bytes of the addends of an element. */
    public int bytesOfElement() {
        return addends * type.byteSize();
    }

    /** Bytes of the addends of a buffer of the caller's elements, whose size is in bytes. */
    public long bytes(long callerBytes, DataType callerType) {
        return callerBytes / callerType.byteSize() * bytesOfElement();
    }

    /** Whether addends have the type of the caller's elements, so that they may overwrite them. */
    public boolean isInPlaceOf(DataType callerType) {
        return type == callerType && addends == 1;
    }
}

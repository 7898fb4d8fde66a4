package org.mscclj.support.arithmetic;

import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.DataType.Family;
import org.mscclj.api.type.ReduceOp;

/**
 * The operators of reductions. Averages and premultiplied sums have none: they are sums of scaled elements.
 *
 * <p>All methods throw {@link InvalidArgumentException} if the operation is not defined on the type.
 */
public final class Operators {
    private Operators() {}

    /**
     * The operator on integers, which are widened to longs by their sign or by zeros; the caller narrows the result.
     */
    public static LongBinaryOperator ofIntegers(DataType type, ReduceOp.Kind kind) {
        boolean unsigned = type.family() == Family.UNSIGNED;
        return switch (kind) {
            case SUM -> Long::sum;
            case PRODUCT -> (a, b) -> a * b;
            case MIN -> unsigned ? (a, b) -> Long.compareUnsigned(a, b) <= 0 ? a : b : Math::min;
            case MAX -> unsigned ? (a, b) -> Long.compareUnsigned(a, b) >= 0 ? a : b : Math::max;
            case BAND -> (a, b) -> a & b;
            case BOR -> (a, b) -> a | b;
            case BXOR -> (a, b) -> a ^ b;
            case NOP, AVG, PREMUL_SUM -> throw unsupported(type, kind);
        };
    }

    /** The operator on types that are computed in binary32. */
    public static FloatOperator ofFloats(DataType type, ReduceOp.Kind kind) {
        return switch (kind) {
            case SUM -> Float::sum;
            case PRODUCT -> (a, b) -> a * b;
            case MIN -> Math::min;
            case MAX -> Math::max;
            default -> throw unsupported(type, kind);
        };
    }

    /** The operator on float64. */
    public static DoubleBinaryOperator ofDoubles(ReduceOp.Kind kind) {
        return switch (kind) {
            case SUM -> Double::sum;
            case PRODUCT -> (a, b) -> a * b;
            case MIN -> Math::min;
            case MAX -> Math::max;
            default -> throw unsupported(DataType.FLOAT64, kind);
        };
    }

    /** Creates the exception for an operation that is not defined on a type. */
    public static InvalidArgumentException unsupported(DataType type, ReduceOp.Kind kind) {
        return InvalidArgumentException.of(
                "reduce operation",
                kind.label() + " of " + type,
                "sum, product, min, max, and for integers band, bor, bxor");
    }
}

package org.mscclj.support.interpreter;

import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.support.arithmetic.FloatEncoding;
import org.mscclj.support.arithmetic.FloatOperator;
import org.mscclj.support.arithmetic.Operators;

/** Combines encodings of elements from left to right, and rounds the result once (SPEC 3). */
interface EncodedReduction {
    /** The encoding of the result, in the low bytes. */
    long reduce(long[] encodings);

    /**
     * The reduction of a type.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if the operation is not defined on the type
     */
    static EncodedReduction of(DataType type, ReduceOp.Kind kind) {
        if (!type.isFloat()) {
            return ofIntegers(type, Operators.ofIntegers(type, kind));
        }
        if (type == DataType.FLOAT64) {
            return ofDoubles(Operators.ofDoubles(kind));
        }
        boolean selects = kind == ReduceOp.Kind.MIN || kind == ReduceOp.Kind.MAX;
        return ofFloats(
                selects ? FloatEncoding.ofSelected(type) : FloatEncoding.of(type), Operators.ofFloats(type, kind));
    }

    private static EncodedReduction ofIntegers(DataType type, LongBinaryOperator operator) {
        return encodings -> {
            long result = EncodedElements.widen(type, encodings[0]);
            for (int i = 1; i < encodings.length; i++) {
                result = operator.applyAsLong(result, EncodedElements.widen(type, encodings[i]));
            }
            return result;
        };
    }

    private static EncodedReduction ofFloats(FloatEncoding encoding, FloatOperator operator) {
        return encodings -> {
            float result = encoding.decode((int) encodings[0]);
            for (int i = 1; i < encodings.length; i++) {
                result = operator.applyAsFloat(result, encoding.decode((int) encodings[i]));
            }
            return encoding.encode(result);
        };
    }

    private static EncodedReduction ofDoubles(DoubleBinaryOperator operator) {
        return encodings -> {
            double result = Double.longBitsToDouble(encodings[0]);
            for (int i = 1; i < encodings.length; i++) {
                result = operator.applyAsDouble(result, Double.longBitsToDouble(encodings[i]));
            }
            return Double.doubleToLongBits(result);
        };
    }
}

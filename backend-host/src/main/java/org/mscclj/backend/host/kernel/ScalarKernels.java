package org.mscclj.backend.host.kernel;

import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.DataType.Family;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.spi.engine.SumForm;

/** The kernels that do not use the Vector API. */
final class ScalarKernels {
    private ScalarKernels() {}

    static ScalarReduce reduce(DataType type, ReduceOp.Kind kind) {
        if (type == DataType.FLOAT64) {
            return Template.instantiate(ScalarReduce.class, ScalarDoubleReduce.class, doubleOperator(type, kind));
        }
        if (type.isFloat()) {
            boolean selects = kind == ReduceOp.Kind.MIN || kind == ReduceOp.Kind.MAX;
            FloatFormat format = selects ? FloatFormat.ofSelected(type) : FloatFormat.of(type);
            var constant = new ScalarFloatReduce.Constant(format, floatOperator(type, kind));
            return Template.instantiate(ScalarReduce.class, ScalarFloatReduce.class, constant);
        }
        var constant =
                new ScalarIntegerReduce.Constant(IntegerFormat.of(type), type.byteSize(), integerOperator(type, kind));
        return Template.instantiate(ScalarReduce.class, ScalarIntegerReduce.class, constant);
    }

    static ScaleKernel scale(DataType type) {
        if (type == DataType.FLOAT64) {
            return new ScalarDoubleScale();
        }
        if (type.isFloat()) {
            return Template.instantiate(ScaleKernel.class, ScalarFloatScale.class, FloatFormat.of(type));
        }
        var constant = new ScalarIntegerScale.Constant(IntegerFormat.of(type), type.byteSize());
        return Template.instantiate(ScaleKernel.class, ScalarIntegerScale.class, constant);
    }

    static AddendKernel addends(DataType type, SumForm form) {
        if (type.isFloat()) {
            var constant = new FloatAddends.Constant(FloatFormat.of(type), type.byteSize(), (float) form.divisor());
            return Template.instantiate(AddendKernel.class, FloatAddends.class, constant);
        }
        long ranks = (long) form.divisor();
        if (form.addends() == 2) {
            return new PairedAddends(ranks, type.family() == Family.UNSIGNED);
        }
        var constant = new WideAddends.Constant(
                IntegerFormat.of(type),
                type.byteSize(),
                IntegerFormat.of(form.type()),
                form.type().byteSize(),
                ranks);
        return Template.instantiate(AddendKernel.class, WideAddends.class, constant);
    }

    static void checkDivisor(double divisor) {
        if (!(divisor > 0)) {
            throw InvalidArgumentException.of("divisor", divisor, "more than 0");
        }
    }

    static InvalidArgumentException unsupported(DataType type, ReduceOp.Kind kind) {
        return InvalidArgumentException.of(
                "reduce operation",
                kind.label() + " of " + type,
                "sum, product, min, max, and for integers band, bor, bxor");
    }

    private static LongBinaryOperator integerOperator(DataType type, ReduceOp.Kind kind) {
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

    private static FloatOperator floatOperator(DataType type, ReduceOp.Kind kind) {
        return switch (kind) {
            case SUM -> Float::sum;
            case PRODUCT -> (a, b) -> a * b;
            case MIN -> Math::min;
            case MAX -> Math::max;
            default -> throw unsupported(type, kind);
        };
    }

    private static DoubleBinaryOperator doubleOperator(DataType type, ReduceOp.Kind kind) {
        return switch (kind) {
            case SUM -> Double::sum;
            case PRODUCT -> (a, b) -> a * b;
            case MIN -> Math::min;
            case MAX -> Math::max;
            default -> throw unsupported(type, kind);
        };
    }
}

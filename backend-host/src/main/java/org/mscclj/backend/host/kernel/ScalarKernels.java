package org.mscclj.backend.host.kernel;

import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.DataType.Family;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.spi.engine.SumForm;
import org.mscclj.support.arithmetic.Operators;
import org.mscclj.support.arithmetic.PairedAverage;

/** The kernels that do not use the Vector API. */
final class ScalarKernels {
    private ScalarKernels() {}

    static ScalarReduce reduce(DataType type, ReduceOp.Kind kind) {
        if (type == DataType.FLOAT64) {
            return Template.instantiate(ScalarReduce.class, ScalarDoubleReduce.class, Operators.ofDoubles(kind));
        }
        if (type.isFloat()) {
            boolean selects = kind == ReduceOp.Kind.MIN || kind == ReduceOp.Kind.MAX;
            FloatFormat format = selects ? FloatFormat.ofSelected(type) : FloatFormat.of(type);
            var constant = new ScalarFloatReduce.Constant(format, Operators.ofFloats(type, kind));
            return Template.instantiate(ScalarReduce.class, ScalarFloatReduce.class, constant);
        }
        var constant = new ScalarIntegerReduce.Constant(
                IntegerFormat.of(type), type.byteSize(), Operators.ofIntegers(type, kind));
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
            return new PairedAddends(new PairedAverage(ranks, type.family() == Family.UNSIGNED));
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
}

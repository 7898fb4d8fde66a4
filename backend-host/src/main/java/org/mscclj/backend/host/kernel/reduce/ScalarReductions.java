package org.mscclj.backend.host.kernel.reduce;

import java.lang.invoke.MethodHandles;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.host.kernel.format.FloatFormat;
import org.mscclj.backend.host.kernel.format.IntegerFormat;
import org.mscclj.backend.host.kernel.variant.KernelTemplate;
import org.mscclj.support.arithmetic.Operators;

/** The reductions that do not use the Vector API. */
final class ScalarReductions {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private ScalarReductions() {}

    static ScalarReduce of(DataType type, ReduceOp.Kind kind) {
        if (type == DataType.FLOAT64) {
            return KernelTemplate.instantiate(
                    LOOKUP, ScalarReduce.class, ScalarDoubleReduce.class, Operators.ofDoubles(kind));
        }
        if (type.isFloat()) {
            boolean selects = kind == ReduceOp.Kind.MIN || kind == ReduceOp.Kind.MAX;
            FloatFormat format = selects ? FloatFormat.ofSelected(type) : FloatFormat.of(type);
            var constant = new ScalarFloatReduce.Constant(format, Operators.ofFloats(type, kind));
            return KernelTemplate.instantiate(LOOKUP, ScalarReduce.class, ScalarFloatReduce.class, constant);
        }
        var constant = new ScalarIntegerReduce.Constant(
                IntegerFormat.of(type), type.byteSize(), Operators.ofIntegers(type, kind));
        return KernelTemplate.instantiate(LOOKUP, ScalarReduce.class, ScalarIntegerReduce.class, constant);
    }
}

package org.mscclj.backend.host.kernel.scale;

import java.lang.invoke.MethodHandles;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.backend.host.kernel.format.FloatFormat;
import org.mscclj.backend.host.kernel.format.IntegerFormat;
import org.mscclj.backend.host.kernel.variant.KernelTemplate;

/** The kernels that scale without the Vector API. */
final class ScalarScales {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private ScalarScales() {}

    static ScaleKernel of(DataType type) {
        if (type == DataType.FLOAT64) {
            return new ScalarDoubleScale();
        }
        if (type.isFloat()) {
            return KernelTemplate.instantiate(LOOKUP, ScaleKernel.class, ScalarFloatScale.class, FloatFormat.of(type));
        }
        var constant = new ScalarIntegerScale.Constant(IntegerFormat.of(type), type.byteSize());
        return KernelTemplate.instantiate(LOOKUP, ScaleKernel.class, ScalarIntegerScale.class, constant);
    }

    static void checkDivisor(double divisor) {
        if (!(divisor > 0)) {
            throw InvalidArgumentException.of("divisor", divisor, "more than 0");
        }
    }
}

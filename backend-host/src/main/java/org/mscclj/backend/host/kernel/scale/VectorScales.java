package org.mscclj.backend.host.kernel.scale;

import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.VectorOperators;
import org.mscclj.api.type.DataType;
import org.mscclj.backend.host.kernel.format.FloatFormat;
import org.mscclj.backend.host.kernel.format.MiniFloatVectors;
import org.mscclj.backend.host.kernel.variant.KernelTemplate;
import org.mscclj.backend.host.kernel.variant.VectorSupport;
import org.mscclj.posix.NativeMemory;

/** The kernels that scale with the Vector API; loaded only if {@link VectorSupport} enables it. */
final class VectorScales {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private VectorScales() {}

    /** For floating-point types only. */
    static ScaleKernel of(DataType type) {
        ScaleKernel scalar = ScalarScales.of(type);
        return new VectorScale(
                loop(type, VectorOperators.MUL),
                loop(type, VectorOperators.DIV),
                scalar,
                type == DataType.FLOAT64 ? NativeMemory::getDouble : FloatFormat.of(type)::load);
    }

    private static VectorScale.Loop loop(DataType type, VectorOperators.Binary operator) {
        return switch (type) {
            case FLOAT32 ->
                KernelTemplate.instantiate(LOOKUP, VectorScale.Loop.class, VectorFloatScale.class, operator);
            case FLOAT64 ->
                KernelTemplate.instantiate(LOOKUP, VectorScale.Loop.class, VectorDoubleScale.class, operator);
            case BFLOAT16 ->
                KernelTemplate.instantiate(LOOKUP, VectorScale.Loop.class, VectorBfloat16Scale.class, operator);
            default -> {
                var constant = new VectorMiniFloatScale.Constant(MiniFloatVectors.of(type), operator);
                yield KernelTemplate.instantiate(LOOKUP, VectorScale.Loop.class, VectorMiniFloatScale.class, constant);
            }
        };
    }
}

package org.mscclj.backend.host.kernel.reduce;

import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.DataType.Family;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.host.kernel.format.MiniFloatVectors;
import org.mscclj.backend.host.kernel.variant.KernelTemplate;
import org.mscclj.backend.host.kernel.variant.VectorSupport;
import org.mscclj.support.arithmetic.Operators;

/** The reductions that use the Vector API; loaded only if {@link VectorSupport} enables it. */
final class VectorReductions {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private VectorReductions() {}

    static ReduceKernel of(DataType type, ReduceOp.Kind kind) {
        ScalarReduce tail = ScalarReductions.of(type, kind);
        VectorOperators.Binary operator = operator(type, kind);
        return switch (type) {
            case FLOAT16, FLOAT8_E4M3, FLOAT8_E5M2 -> {
                var constant = new VectorMiniFloatReduce.Constant(MiniFloatVectors.of(type), operator, tail);
                yield KernelTemplate.instantiate(LOOKUP, ReduceKernel.class, VectorMiniFloatReduce.class, constant);
            }
            case BFLOAT16 -> {
                var constant = new VectorBfloat16Reduce.Constant(operator, tail);
                yield KernelTemplate.instantiate(LOOKUP, ReduceKernel.class, VectorBfloat16Reduce.class, constant);
            }
            case INT8, UINT8 -> lanes(ByteVector.SPECIES_PREFERRED, operator, null, tail);
            case INT16, UINT16 -> lanes(ShortVector.SPECIES_PREFERRED, operator, null, tail);
            case INT32, UINT32 -> lanes(IntVector.SPECIES_PREFERRED, operator, null, tail);
            case INT64, UINT64 -> lanes(LongVector.SPECIES_PREFERRED, operator, null, tail);
            case FLOAT32 ->
                lanes(
                        FloatVector.SPECIES_PREFERRED,
                        operator,
                        FloatVector.broadcast(FloatVector.SPECIES_PREFERRED, Float.NaN),
                        tail);
            case FLOAT64 ->
                lanes(
                        DoubleVector.SPECIES_PREFERRED,
                        operator,
                        DoubleVector.broadcast(DoubleVector.SPECIES_PREFERRED, Double.NaN),
                        tail);
        };
    }

    @SuppressWarnings("unchecked")
    private static ReduceKernel lanes(
            VectorSpecies<?> species,
            VectorOperators.Binary operator,
            @Nullable Vector<?> canonicalNan,
            ScalarReduce tail) {
        var constant = new VectorReduce.Constant(
                (VectorSpecies<Object>) species, operator, (Vector<Object>) canonicalNan, tail);
        return KernelTemplate.instantiate(LOOKUP, ReduceKernel.class, VectorReduce.class, constant);
    }

    private static VectorOperators.Binary operator(DataType type, ReduceOp.Kind kind) {
        boolean unsigned = type.family() == Family.UNSIGNED;
        return switch (kind) {
            case SUM -> VectorOperators.ADD;
            case PRODUCT -> VectorOperators.MUL;
            case MIN -> unsigned ? VectorOperators.UMIN : VectorOperators.MIN;
            case MAX -> unsigned ? VectorOperators.UMAX : VectorOperators.MAX;
            case BAND -> VectorOperators.AND;
            case BOR -> VectorOperators.OR;
            case BXOR -> VectorOperators.XOR;
            case NOP, AVG, PREMUL_SUM -> throw Operators.unsupported(type, kind);
        };
    }
}

package org.mscclj.backend.host.kernel;

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
import org.mscclj.posix.NativeMemory;
import org.mscclj.support.arithmetic.MiniFloat;
import org.mscclj.support.arithmetic.Operators;

/** The kernels that use the Vector API; loaded only if {@link VectorSupport} enables it. */
final class VectorKernels {
    private VectorKernels() {}

    /** Size of a vector, in bits. */
    static int bits() {
        return IntVector.SPECIES_PREFERRED.vectorBitSize();
    }

    static ReduceKernel reduce(DataType type, ReduceOp.Kind kind) {
        ScalarReduce tail = ScalarKernels.reduce(type, kind);
        VectorOperators.Binary operator = operator(type, kind);
        return switch (type) {
            case FLOAT16, FLOAT8_E4M3, FLOAT8_E5M2 -> {
                var constant = new VectorMiniFloatReduce.Constant(miniFloatVectors(type), operator, tail);
                yield Template.instantiate(ReduceKernel.class, VectorMiniFloatReduce.class, constant);
            }
            case BFLOAT16 -> {
                var constant = new VectorBfloat16Reduce.Constant(operator, tail);
                yield Template.instantiate(ReduceKernel.class, VectorBfloat16Reduce.class, constant);
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

    /** For floating-point types only. */
    static ScaleKernel scale(DataType type) {
        ScaleKernel scalar = ScalarKernels.scale(type);
        return new VectorScale(
                scaleLoop(type, VectorOperators.MUL),
                scaleLoop(type, VectorOperators.DIV),
                scalar,
                type == DataType.FLOAT64 ? NativeMemory::getDouble : FloatFormat.of(type)::load);
    }

    private static VectorScale.Loop scaleLoop(DataType type, VectorOperators.Binary operator) {
        return switch (type) {
            case FLOAT32 -> Template.instantiate(VectorScale.Loop.class, VectorFloatScale.class, operator);
            case FLOAT64 -> Template.instantiate(VectorScale.Loop.class, VectorDoubleScale.class, operator);
            case BFLOAT16 -> Template.instantiate(VectorScale.Loop.class, VectorBfloat16Scale.class, operator);
            default -> {
                var constant = new VectorMiniFloatScale.Constant(miniFloatVectors(type), operator);
                yield Template.instantiate(VectorScale.Loop.class, VectorMiniFloatScale.class, constant);
            }
        };
    }

    private static MiniFloatVectors miniFloatVectors(DataType type) {
        return switch (type) {
            case FLOAT16 -> MiniFloatVectors.of(MiniFloat.FLOAT16, Short.SIZE, IntVector.SPECIES_PREFERRED);
            case FLOAT8_E4M3 -> MiniFloatVectors.of(MiniFloat.E4M3, Byte.SIZE, IntVector.SPECIES_PREFERRED);
            case FLOAT8_E5M2 -> MiniFloatVectors.of(MiniFloat.E5M2, Byte.SIZE, IntVector.SPECIES_PREFERRED);
            default -> throw new IllegalArgumentException(type + " is no mini float");
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
        return Template.instantiate(ReduceKernel.class, VectorReduce.class, constant);
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

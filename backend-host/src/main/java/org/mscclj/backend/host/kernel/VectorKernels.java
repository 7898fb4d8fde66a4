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
import org.mscclj.api.DataType;
import org.mscclj.api.DataType.Family;
import org.mscclj.api.ReduceOp;

/** The kernels that use the Vector API; not to be loaded unless {@link VectorSupport} says so. */
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
            case FLOAT16 -> miniFloat(MiniFloat.FLOAT16, Short.SIZE, operator, tail);
            case BFLOAT16 -> Template.instantiate(ReduceKernel.class, VectorBfloat16Reduce.class, new VectorBfloat16Reduce.Constant(operator, tail));
            case FLOAT8_E4M3 -> miniFloat(MiniFloat.E4M3, Byte.SIZE, operator, tail);
            case FLOAT8_E5M2 -> miniFloat(MiniFloat.E5M2, Byte.SIZE, operator, tail);
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
            VectorSpecies<?> species, VectorOperators.Binary operator, Vector<?> canonicalNan, ScalarReduce tail) {
        var constant = new VectorReduce.Constant(
                (VectorSpecies<Object>) species, operator, (Vector<Object>) canonicalNan, tail);
        return Template.instantiate(ReduceKernel.class, VectorReduce.class, constant);
    }

    private static ReduceKernel miniFloat(
            MiniFloat layout, int bits, VectorOperators.Binary operator, ScalarReduce scalar) {
        MiniFloatVectors format = MiniFloatVectors.of(layout, bits, IntVector.SPECIES_PREFERRED);
        var constant = new VectorMiniFloatReduce.Constant(format, operator, scalar);
        return Template.instantiate(ReduceKernel.class, VectorMiniFloatReduce.class, constant);
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
            case NOP, AVG, PREMUL_SUM -> throw ScalarKernels.unsupported(type, kind);
        };
    }
}

package org.mscclj.backend.host.kernel.scale;

import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.mscclj.backend.host.kernel.format.MiniFloatVectors;
import org.mscclj.backend.host.kernel.variant.KernelTemplate;
import org.mscclj.posix.NativeMemory;

/** {@linkplain KernelTemplate Template} of the loops that scale float16 and the fp8 types. */
final class VectorMiniFloatScale implements VectorScale.Loop {
    /** The constant of a copy: multiplication or division. */
    record Constant(MiniFloatVectors format, VectorOperators.Binary operator) {}

    private static final VectorSpecies<Integer> SPECIES = IntVector.SPECIES_PREFERRED;
    private static final int STEP = SPECIES.vectorByteSize();
    private static final Constant CONSTANT = KernelTemplate.constant(MethodHandles.lookup(), Constant.class);
    private static final MiniFloatVectors FORMAT = CONSTANT.format();
    private static final int BITS = FORMAT.bits();
    private static final VectorOperators.Binary OPERATOR = CONSTANT.operator();

    @Override
    public long apply(long address, long bytes, double operand) {
        if (Float.isInfinite((float) operand)) {
            return 0; // 0 times infinity is NaN, which these vectors cannot convert.
        }
        FloatVector operands = FloatVector.broadcast(FloatVector.SPECIES_PREFERRED, (float) operand);
        long end = bytes & -STEP;
        for (long at = 0; at < end; at += STEP) {
            IntVector packed =
                    IntVector.fromMemorySegment(SPECIES, NativeMemory.ALL, address + at, ByteOrder.nativeOrder());
            if (MiniFloatVectors.any(FORMAT.specials(packed))) {
                return at;
            }
            IntVector result = IntVector.zero(SPECIES);
            for (int bit = 0; bit < Integer.SIZE; bit += BITS) {
                FloatVector value = FORMAT.decode(packed, bit).lanewise(OPERATOR, operands);
                result = result.or(FORMAT.encode(value, bit));
            }
            result.intoMemorySegment(NativeMemory.ALL, address + at, ByteOrder.nativeOrder());
        }
        return end;
    }
}

package org.mscclj.backend.host.kernel.scale;

import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.mscclj.backend.host.kernel.format.Bfloat16Vectors;
import org.mscclj.backend.host.kernel.variant.KernelTemplate;
import org.mscclj.posix.NativeMemory;

/**
 * {@linkplain KernelTemplate Template} of the loops that scale bfloat16; the constant is multiplication or division.
 */
final class VectorBfloat16Scale implements VectorScale.Loop {
    private static final VectorSpecies<Integer> SPECIES = IntVector.SPECIES_PREFERRED;
    private static final int STEP = SPECIES.vectorByteSize();
    private static final VectorOperators.Binary OPERATOR =
            KernelTemplate.constant(MethodHandles.lookup(), VectorOperators.Binary.class);

    @Override
    public long apply(long address, long bytes, double operand) {
        FloatVector operands = FloatVector.broadcast(FloatVector.SPECIES_PREFERRED, (float) operand);
        long end = bytes & -STEP;
        for (long at = address; at < address + end; at += STEP) {
            IntVector packed = IntVector.fromMemorySegment(SPECIES, NativeMemory.ALL, at, ByteOrder.nativeOrder());
            FloatVector lower = Bfloat16Vectors.lower(packed).lanewise(OPERATOR, operands);
            FloatVector upper = Bfloat16Vectors.upper(packed).lanewise(OPERATOR, operands);
            Bfloat16Vectors.pack(lower, upper).intoMemorySegment(NativeMemory.ALL, at, ByteOrder.nativeOrder());
        }
        return end;
    }
}

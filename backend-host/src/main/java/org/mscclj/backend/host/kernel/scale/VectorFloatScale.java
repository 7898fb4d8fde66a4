package org.mscclj.backend.host.kernel.scale;

import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.mscclj.backend.host.kernel.variant.KernelTemplate;
import org.mscclj.posix.NativeMemory;

/** {@linkplain KernelTemplate Template} of the loops that scale float32; the constant is multiplication or division. */
final class VectorFloatScale implements VectorScale.Loop {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int STEP = SPECIES.vectorByteSize();
    private static final VectorOperators.Binary OPERATOR =
            KernelTemplate.constant(MethodHandles.lookup(), VectorOperators.Binary.class);

    @Override
    public long apply(long address, long bytes, double operand) {
        FloatVector operands = FloatVector.broadcast(SPECIES, (float) operand);
        long end = bytes & -STEP;
        for (long at = address; at < address + end; at += STEP) {
            FloatVector values = FloatVector.fromMemorySegment(SPECIES, NativeMemory.ALL, at, ByteOrder.nativeOrder());
            FloatVector results = values.lanewise(OPERATOR, operands);
            results.blend(Float.NaN, results.test(VectorOperators.IS_NAN))
                    .intoMemorySegment(NativeMemory.ALL, at, ByteOrder.nativeOrder());
        }
        return end;
    }
}

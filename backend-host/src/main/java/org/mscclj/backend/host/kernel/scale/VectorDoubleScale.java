package org.mscclj.backend.host.kernel.scale;

import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.mscclj.backend.host.kernel.variant.KernelTemplate;
import org.mscclj.posix.NativeMemory;

/** {@linkplain KernelTemplate Template} of the loops that scale float64; the constant is multiplication or division. */
final class VectorDoubleScale implements VectorScale.Loop {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int STEP = SPECIES.vectorByteSize();
    private static final VectorOperators.Binary OPERATOR =
            KernelTemplate.constant(MethodHandles.lookup(), VectorOperators.Binary.class);

    @Override
    public long apply(long address, long bytes, double operand) {
        DoubleVector operands = DoubleVector.broadcast(SPECIES, operand);
        long end = bytes & -STEP;
        for (long at = address; at < address + end; at += STEP) {
            DoubleVector values =
                    DoubleVector.fromMemorySegment(SPECIES, NativeMemory.ALL, at, ByteOrder.nativeOrder());
            DoubleVector results = values.lanewise(OPERATOR, operands);
            results.blend(Double.NaN, results.test(VectorOperators.IS_NAN))
                    .intoMemorySegment(NativeMemory.ALL, at, ByteOrder.nativeOrder());
        }
        return end;
    }
}

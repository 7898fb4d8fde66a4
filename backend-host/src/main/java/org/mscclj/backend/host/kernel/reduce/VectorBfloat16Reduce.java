package org.mscclj.backend.host.kernel.reduce;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.mscclj.backend.host.kernel.format.Bfloat16Vectors;
import org.mscclj.backend.host.kernel.variant.KernelTemplate;
import org.mscclj.posix.NativeMemory;

/** {@linkplain KernelTemplate Template} of the reductions of bfloat16. */
final class VectorBfloat16Reduce implements ReduceKernel {
    /**
     * The constant of a copy.
     *
     * @param tail reduces the rest that is less than a vector
     */
    record Constant(VectorOperators.Binary operator, ScalarReduce tail) {}

    private static final VectorSpecies<Integer> SPECIES = IntVector.SPECIES_PREFERRED;
    private static final MemorySegment ALL = NativeMemory.ALL;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final int STEP = SPECIES.vectorByteSize();
    private static final Constant CONSTANT = KernelTemplate.constant(MethodHandles.lookup(), Constant.class);
    private static final VectorOperators.Binary OPERATOR = CONSTANT.operator();
    private static final ScalarReduce TAIL = CONSTANT.tail();

    @Override
    public void reduce(long destination, long first, long second, long bytes) {
        long end = bytes & -STEP;
        for (long at = 0; at < end; at += STEP) {
            IntVector left = IntVector.fromMemorySegment(SPECIES, ALL, first + at, ORDER);
            IntVector right = IntVector.fromMemorySegment(SPECIES, ALL, second + at, ORDER);
            FloatVector lower = Bfloat16Vectors.lower(left).lanewise(OPERATOR, Bfloat16Vectors.lower(right));
            FloatVector upper = Bfloat16Vectors.upper(left).lanewise(OPERATOR, Bfloat16Vectors.upper(right));
            Bfloat16Vectors.pack(lower, upper).intoMemorySegment(ALL, destination + at, ORDER);
        }
        TAIL.reduce(destination + end, first + end, second + end, bytes - end);
    }

    @Override
    public void reduce(long destination, long[] sources, int count, long bytes) {
        long end = bytes & -STEP;
        for (long at = 0; at < end; at += STEP) {
            IntVector packed = IntVector.fromMemorySegment(SPECIES, ALL, sources[0] + at, ORDER);
            FloatVector lower = Bfloat16Vectors.lower(packed);
            FloatVector upper = Bfloat16Vectors.upper(packed);
            for (int i = 1; i < count; i++) {
                packed = IntVector.fromMemorySegment(SPECIES, ALL, sources[i] + at, ORDER);
                lower = lower.lanewise(OPERATOR, Bfloat16Vectors.lower(packed));
                upper = upper.lanewise(OPERATOR, Bfloat16Vectors.upper(packed));
            }
            Bfloat16Vectors.pack(lower, upper).intoMemorySegment(ALL, destination + at, ORDER);
        }
        TAIL.reduce(destination, sources, count, end, bytes);
    }
}

package org.mscclj.backend.host.kernel;

import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.mscclj.backend.host.ffm.NativeMemory;

/** {@linkplain Template Template} of the reductions of narrow floating-point types. */
final class VectorNarrowReduce implements ReduceKernel {
    /**
     * What a copy is made for.
     *
     * @param tail reduces what is less than a vector
     */
    record Constant(NarrowFloatVectors format, VectorOperators.Binary operator, ReduceKernel tail) {}

    private static final VectorSpecies<Integer> SPECIES = IntVector.SPECIES_PREFERRED;
    private static final int STEP = SPECIES.vectorByteSize();
    private static final Constant CONSTANT = Template.constant(MethodHandles.lookup(), Constant.class);
    private static final NarrowFloatVectors FORMAT = CONSTANT.format();
    private static final boolean IS_BYTE = FORMAT.bits() == Byte.SIZE;
    private static final VectorOperators.Binary OPERATOR = CONSTANT.operator();
    private static final ReduceKernel TAIL = CONSTANT.tail();

    @Override
    public void reduce(long destination, long first, long second, long bytes) {
        long end = bytes & -STEP;
        for (long at = 0; at < end; at += STEP) {
            IntVector left = load(first + at);
            IntVector right = load(second + at);
            IntVector result = combine(left, right, 0).or(combine(left, right, 16));
            if (IS_BYTE) {
                result = result.or(combine(left, right, 8)).or(combine(left, right, 24));
            }
            store(destination + at, result);
        }
        TAIL.reduce(destination + end, first + end, second + end, bytes - end);
    }

    private static IntVector combine(IntVector left, IntVector right, int bit) {
        return FORMAT.encode(FORMAT.decode(left, bit).lanewise(OPERATOR, FORMAT.decode(right, bit)), bit);
    }

    @Override
    public void reduce(long destination, long[] sources, int count, long bytes) {
        long end = bytes & -STEP;
        for (long at = 0; at < end; at += STEP) {
            IntVector packed = load(sources[0] + at);
            FloatVector result0 = FORMAT.decode(packed, 0);
            FloatVector result16 = FORMAT.decode(packed, 16);
            for (int i = 1; i < count; i++) {
                packed = load(sources[i] + at);
                result0 = result0.lanewise(OPERATOR, FORMAT.decode(packed, 0));
                result16 = result16.lanewise(OPERATOR, FORMAT.decode(packed, 16));
            }
            IntVector result = FORMAT.encode(result0, 0).or(FORMAT.encode(result16, 16));
            store(destination + at, result);
        }
        TAIL.reduce(destination, sources, count, bytes - end);
    }

    private static IntVector load(long address) {
        return IntVector.fromMemorySegment(SPECIES, NativeMemory.ALL, address, ByteOrder.nativeOrder());
    }

    private static void store(long address, IntVector packed) {
        packed.intoMemorySegment(NativeMemory.ALL, address, ByteOrder.nativeOrder());
    }
}

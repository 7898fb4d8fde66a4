package org.mscclj.backend.host.kernel;

import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.mscclj.backend.host.ffm.NativeMemory;

/**
 * {@linkplain Template Template} of the reductions of bfloat16, whose elements are taken two by two, as lanes of 32 bits: the
 * upper one is a binary32 but for the lower 16 bits, the lower one is 16 bits from being one.
 */
final class VectorBfloat16Reduce implements ReduceKernel {
    /**
     * What a copy is made for.
     *
     * @param tail reduces what is less than a vector
     */
    record Constant(VectorOperators.Binary operator, ScalarReduce tail) {}

    private static final VectorSpecies<Integer> SPECIES = IntVector.SPECIES_PREFERRED;
    private static final int STEP = SPECIES.vectorByteSize();
    private static final Constant CONSTANT = Template.constant(MethodHandles.lookup(), Constant.class);
    private static final VectorOperators.Binary OPERATOR = CONSTANT.operator();
    private static final ScalarReduce TAIL = CONSTANT.tail();
    private static final int UPPER = 0xffff0000;
    private static final int NAN = 0x7fc00000;

    @Override
    public void reduce(long destination, long first, long second, long bytes) {
        long end = bytes & -STEP;
        for (long at = 0; at < end; at += STEP) {
            IntVector left = load(first + at);
            IntVector right = load(second + at);
            store(
                    destination + at,
                    lower(left).lanewise(OPERATOR, lower(right)),
                    upper(left).lanewise(OPERATOR, upper(right)));
        }
        TAIL.reduce(destination + end, first + end, second + end, bytes - end);
    }

    @Override
    public void reduce(long destination, long[] sources, int count, long bytes) {
        long end = bytes & -STEP;
        for (long at = 0; at < end; at += STEP) {
            IntVector packed = load(sources[0] + at);
            FloatVector lower = lower(packed);
            FloatVector upper = upper(packed);
            for (int i = 1; i < count; i++) {
                packed = load(sources[i] + at);
                lower = lower.lanewise(OPERATOR, lower(packed));
                upper = upper.lanewise(OPERATOR, upper(packed));
            }
            store(destination + at, lower, upper);
        }
        TAIL.reduce(destination, sources, count, end, bytes);
    }

    private static FloatVector lower(IntVector packed) {
        return packed.lanewise(VectorOperators.LSHL, Short.SIZE).reinterpretAsFloats();
    }

    private static FloatVector upper(IntVector packed) {
        return packed.and(UPPER).reinterpretAsFloats();
    }

    private static IntVector load(long address) {
        return IntVector.fromMemorySegment(SPECIES, NativeMemory.ALL, address, ByteOrder.nativeOrder());
    }

    private static void store(long address, FloatVector lower, FloatVector upper) {
        round(lower)
                .lanewise(VectorOperators.LSHR, Short.SIZE)
                .or(round(upper).and(UPPER))
                .intoMemorySegment(NativeMemory.ALL, address, ByteOrder.nativeOrder());
    }

    /** Rounds to nearest even at bit 16; the bits below are left as they come. */
    private static IntVector round(FloatVector values) {
        IntVector bits = values.reinterpretAsInts();
        IntVector odd = bits.lanewise(VectorOperators.LSHR, Short.SIZE).and(1);
        return bits.add(0x7fff).add(odd).blend(NAN, values.test(VectorOperators.IS_NAN).cast(SPECIES));
    }
}

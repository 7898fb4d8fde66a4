package org.mscclj.backend.host.kernel.reduce;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.mscclj.backend.host.kernel.format.MiniFloatVectors;
import org.mscclj.backend.host.kernel.variant.KernelTemplate;
import org.mscclj.posix.NativeMemory;

/** {@linkplain KernelTemplate Template} of the reductions of float16 and the fp8 types. */
final class VectorMiniFloatReduce implements ReduceKernel {
    /**
     * The constant of a copy.
     *
     * @param scalar reduces the rest that is less than a vector, and elements that {@link MiniFloatVectors} cannot
     *     convert
     */
    record Constant(MiniFloatVectors format, VectorOperators.Binary operator, ScalarReduce scalar) {}

    private static final VectorSpecies<Integer> SPECIES = IntVector.SPECIES_PREFERRED;
    private static final MemorySegment ALL = NativeMemory.ALL;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final int STEP = SPECIES.vectorByteSize();
    private static final Constant CONSTANT = KernelTemplate.constant(MethodHandles.lookup(), Constant.class);
    private static final MiniFloatVectors FORMAT = CONSTANT.format();
    private static final int BITS = FORMAT.bits();
    private static final VectorOperators.Binary OPERATOR = CONSTANT.operator();
    private static final boolean IS_PRODUCT = OPERATOR.equals(VectorOperators.MUL);
    private static final ScalarReduce SCALAR = CONSTANT.scalar();

    @Override
    public void reduce(long destination, long first, long second, long bytes) {
        long end = bytes & -STEP;
        for (long at = 0; at < end; at += STEP) {
            IntVector left = IntVector.fromMemorySegment(SPECIES, ALL, first + at, ORDER);
            IntVector right = IntVector.fromMemorySegment(SPECIES, ALL, second + at, ORDER);
            if (MiniFloatVectors.any(FORMAT.specials(left).or(FORMAT.specials(right)))) {
                SCALAR.reduce(destination + at, first + at, second + at, STEP);
                continue;
            }
            IntVector result = IntVector.zero(SPECIES);
            // A loop, although it is unrolled: the compiler stops inlining after a number of operations in the source.
            for (int bit = 0; bit < Integer.SIZE; bit += BITS) {
                FloatVector value = decode(left, bit).lanewise(OPERATOR, decode(right, bit));
                result = result.or(encode(value, bit));
            }
            result.intoMemorySegment(ALL, destination + at, ORDER);
        }
        SCALAR.reduce(destination + end, first + end, second + end, bytes - end);
    }

    @Override
    public void reduce(long destination, long[] sources, int count, long bytes) {
        if (IS_PRODUCT && count > 2) {
            // A product of many may exceed binary32, and infinity times 0 is NaN.
            SCALAR.reduce(destination, sources, count, bytes);
            return;
        }
        long end = bytes & -STEP;
        for (long at = 0; at < end; at += STEP) {
            IntVector packed = IntVector.fromMemorySegment(SPECIES, ALL, sources[0] + at, ORDER);
            IntVector specials = FORMAT.specials(packed);
            for (int i = 1; i < count; i++) {
                specials =
                        specials.or(FORMAT.specials(IntVector.fromMemorySegment(SPECIES, ALL, sources[i] + at, ORDER)));
            }
            if (MiniFloatVectors.any(specials)) {
                SCALAR.reduce(destination, sources, count, at, at + STEP);
                continue;
            }
            IntVector result = IntVector.zero(SPECIES);
            for (int bit = 0; bit < Integer.SIZE; bit += BITS) {
                FloatVector value = decode(packed, bit);
                for (int i = 1; i < count; i++) {
                    value = value.lanewise(
                            OPERATOR, decode(IntVector.fromMemorySegment(SPECIES, ALL, sources[i] + at, ORDER), bit));
                }
                result = result.or(encode(value, bit));
            }
            result.intoMemorySegment(ALL, destination + at, ORDER);
        }
        SCALAR.reduce(destination, sources, count, end, bytes);
    }

    /** Only products need the numbers themselves. */
    private static FloatVector decode(IntVector packed, int bit) {
        return IS_PRODUCT ? FORMAT.decode(packed, bit) : FORMAT.decodeScaled(packed, bit);
    }

    private static IntVector encode(FloatVector values, int bit) {
        return IS_PRODUCT ? FORMAT.encode(values, bit) : FORMAT.encodeScaled(values, bit);
    }
}

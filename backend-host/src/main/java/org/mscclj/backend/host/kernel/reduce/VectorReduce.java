package org.mscclj.backend.host.kernel.reduce;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;
import org.mscclj.backend.host.kernel.variant.KernelTemplate;
import org.mscclj.posix.NativeMemory;

/**
 * {@linkplain KernelTemplate Template} of the reductions of types that are lanes of vectors: integers, float32 and
 * float64.
 *
 * <p>Vectors are never passed to methods of this project, even where that repeats a line: the compiler always inlines
 * methods of the Vector API, but not other methods once it has compiled them separately, and a vector that crosses a
 * call is an object on the heap.
 */
final class VectorReduce implements ReduceKernel {
    /**
     * The constant of a copy.
     *
     * @param canonicalNan for floating-point types, the NaN that replaces every NaN, in each lane
     * @param tail reduces the rest that is less than a vector
     */
    record Constant(
            VectorSpecies<Object> species,
            VectorOperators.Binary operator,
            @Nullable Vector<Object> canonicalNan,
            ScalarReduce tail) {}

    private static final Constant CONSTANT = KernelTemplate.constant(MethodHandles.lookup(), Constant.class);
    private static final VectorSpecies<Object> SPECIES = CONSTANT.species();
    private static final VectorOperators.Binary OPERATOR = CONSTANT.operator();
    private static final @Nullable Vector<Object> CANONICAL_NAN = CONSTANT.canonicalNan();
    private static final ScalarReduce TAIL = CONSTANT.tail();
    private static final long STEP = SPECIES.vectorByteSize();
    private static final long BLOCK = 4 * STEP;
    private static final MemorySegment ALL = NativeMemory.ALL;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    @Override
    public long batch(int sources, int destinations) {
        return MAX_RUN;
    }

    @Override
    public void reduce(long destination, long first, long second, long bytes) {
        long end = bytes & -STEP;
        for (long at = 0; at < end; at += STEP) {
            Vector<Object> result = SPECIES.fromMemorySegment(ALL, first + at, ORDER)
                    .lanewise(OPERATOR, SPECIES.fromMemorySegment(ALL, second + at, ORDER));
            if (CANONICAL_NAN != null) {
                result = result.blend(CANONICAL_NAN, result.test(VectorOperators.IS_NAN));
            }
            result.intoMemorySegment(ALL, destination + at, ORDER);
        }
        TAIL.reduce(destination + end, first + end, second + end, bytes - end);
    }

    @Override
    public void reduce(long destination, long[] sources, int count, long bytes) {
        long end = bytes & -STEP;
        long at = 0;
        for (; at <= end - BLOCK; at += BLOCK) {
            long from = sources[0] + at;
            Vector<Object> result0 = SPECIES.fromMemorySegment(ALL, from, ORDER);
            Vector<Object> result1 = SPECIES.fromMemorySegment(ALL, from + STEP, ORDER);
            Vector<Object> result2 = SPECIES.fromMemorySegment(ALL, from + 2 * STEP, ORDER);
            Vector<Object> result3 = SPECIES.fromMemorySegment(ALL, from + 3 * STEP, ORDER);
            for (int i = 1; i < count; i++) {
                from = sources[i] + at;
                result0 = result0.lanewise(OPERATOR, SPECIES.fromMemorySegment(ALL, from, ORDER));
                result1 = result1.lanewise(OPERATOR, SPECIES.fromMemorySegment(ALL, from + STEP, ORDER));
                result2 = result2.lanewise(OPERATOR, SPECIES.fromMemorySegment(ALL, from + 2 * STEP, ORDER));
                result3 = result3.lanewise(OPERATOR, SPECIES.fromMemorySegment(ALL, from + 3 * STEP, ORDER));
            }
            if (CANONICAL_NAN != null) {
                result0 = result0.blend(CANONICAL_NAN, result0.test(VectorOperators.IS_NAN));
                result1 = result1.blend(CANONICAL_NAN, result1.test(VectorOperators.IS_NAN));
                result2 = result2.blend(CANONICAL_NAN, result2.test(VectorOperators.IS_NAN));
                result3 = result3.blend(CANONICAL_NAN, result3.test(VectorOperators.IS_NAN));
            }
            long to = destination + at;
            result0.intoMemorySegment(ALL, to, ORDER);
            result1.intoMemorySegment(ALL, to + STEP, ORDER);
            result2.intoMemorySegment(ALL, to + 2 * STEP, ORDER);
            result3.intoMemorySegment(ALL, to + 3 * STEP, ORDER);
        }
        TAIL.reduce(destination, sources, count, at, bytes);
    }

    /** Stores results while the loaded lines, which often are the destinations, are still in the first-level cache. */
    @Override
    public void reduceToAll(long[] destinations, int destinationCount, long[] sources, int count, long bytes) {
        long end = bytes & -STEP;
        if (count == 2 && destinationCount == 2) {
            reduceToBoth(destinations[0], destinations[1], sources[0], sources[1], end);
        } else {
            reduceToEach(destinations, destinationCount, sources, count, end);
        }
        if (end < bytes) {
            TAIL.reduce(destinations[0], sources, count, end, bytes);
            for (int i = 1; i < destinationCount; i++) {
                NativeMemory.copy(destinations[0] + end, destinations[i] + end, bytes - end);
            }
        }
    }

    /** The loop for two ranks: all operands fit into registers, and loops over arrays would take most of the time. */
    private static void reduceToBoth(long one, long other, long first, long second, long end) {
        for (long at = 0; at < end; at += STEP) {
            Vector<Object> result = SPECIES.fromMemorySegment(ALL, first + at, ORDER)
                    .lanewise(OPERATOR, SPECIES.fromMemorySegment(ALL, second + at, ORDER));
            if (CANONICAL_NAN != null) {
                result = result.blend(CANONICAL_NAN, result.test(VectorOperators.IS_NAN));
            }
            result.intoMemorySegment(ALL, one + at, ORDER);
            result.intoMemorySegment(ALL, other + at, ORDER);
        }
    }

    private static void reduceToEach(long[] destinations, int destinationCount, long[] sources, int count, long end) {
        long at = 0;
        for (; at <= end - 2 * STEP; at += 2 * STEP) {
            long from = sources[0] + at;
            Vector<Object> result0 = SPECIES.fromMemorySegment(ALL, from, ORDER);
            Vector<Object> result1 = SPECIES.fromMemorySegment(ALL, from + STEP, ORDER);
            for (int i = 1; i < count; i++) {
                from = sources[i] + at;
                result0 = result0.lanewise(OPERATOR, SPECIES.fromMemorySegment(ALL, from, ORDER));
                result1 = result1.lanewise(OPERATOR, SPECIES.fromMemorySegment(ALL, from + STEP, ORDER));
            }
            if (CANONICAL_NAN != null) {
                result0 = result0.blend(CANONICAL_NAN, result0.test(VectorOperators.IS_NAN));
                result1 = result1.blend(CANONICAL_NAN, result1.test(VectorOperators.IS_NAN));
            }
            for (int i = 0; i < destinationCount; i++) {
                long to = destinations[i] + at;
                result0.intoMemorySegment(ALL, to, ORDER);
                result1.intoMemorySegment(ALL, to + STEP, ORDER);
            }
        }
        if (at < end) {
            Vector<Object> result = SPECIES.fromMemorySegment(ALL, sources[0] + at, ORDER);
            for (int i = 1; i < count; i++) {
                result = result.lanewise(OPERATOR, SPECIES.fromMemorySegment(ALL, sources[i] + at, ORDER));
            }
            if (CANONICAL_NAN != null) {
                result = result.blend(CANONICAL_NAN, result.test(VectorOperators.IS_NAN));
            }
            for (int i = 0; i < destinationCount; i++) {
                result.intoMemorySegment(ALL, destinations[i] + at, ORDER);
            }
        }
    }
}

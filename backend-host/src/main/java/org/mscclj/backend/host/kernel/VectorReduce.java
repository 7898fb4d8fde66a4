package org.mscclj.backend.host.kernel;

import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;
import org.mscclj.backend.host.ffm.NativeMemory;

/**
 * {@linkplain Template Template} of the reductions of types that are lanes of vectors: integers, float32 and float64.
 */
final class VectorReduce implements ReduceKernel {
    /**
     * What a copy is made for.
     *
     * @param canonicalNan for floating-point types, the NaN that every NaN is replaced by, in each lane
     * @param tail reduces what is less than a vector
     */
    record Constant(
            VectorSpecies<Object> species,
            VectorOperators.Binary operator,
            @Nullable Vector<Object> canonicalNan,
            ScalarReduce tail) {}

    private static final Constant CONSTANT = Template.constant(MethodHandles.lookup(), Constant.class);
    private static final VectorSpecies<Object> SPECIES = CONSTANT.species();
    private static final VectorOperators.Binary OPERATOR = CONSTANT.operator();
    private static final @Nullable Vector<Object> CANONICAL_NAN = CONSTANT.canonicalNan();
    private static final ScalarReduce TAIL = CONSTANT.tail();
    private static final long STEP = SPECIES.vectorByteSize();
    private static final long BLOCK = 4 * STEP;

    @Override
    public long batch(int sources, int destinations) {
        return LONGEST_RUN;
    }

    @Override
    public void reduce(long destination, long first, long second, long bytes) {
        long end = bytes & -STEP;
        for (long at = 0; at < end; at += STEP) {
            store(destination + at, load(first + at).lanewise(OPERATOR, load(second + at)));
        }
        TAIL.reduce(destination + end, first + end, second + end, bytes - end);
    }

    @Override
    public void reduce(long destination, long[] sources, int count, long bytes) {
        long end = bytes & -STEP;
        long at = 0;
        for (; at <= end - BLOCK; at += BLOCK) {
            long from = sources[0] + at;
            Vector<Object> result0 = load(from);
            Vector<Object> result1 = load(from + STEP);
            Vector<Object> result2 = load(from + 2 * STEP);
            Vector<Object> result3 = load(from + 3 * STEP);
            for (int i = 1; i < count; i++) {
                from = sources[i] + at;
                result0 = result0.lanewise(OPERATOR, load(from));
                result1 = result1.lanewise(OPERATOR, load(from + STEP));
                result2 = result2.lanewise(OPERATOR, load(from + 2 * STEP));
                result3 = result3.lanewise(OPERATOR, load(from + 3 * STEP));
            }
            long to = destination + at;
            store(to, result0);
            store(to + STEP, result1);
            store(to + 2 * STEP, result2);
            store(to + 3 * STEP, result3);
        }
        TAIL.reduce(destination, sources, count, at, bytes);
    }

    /** Stores while the lines that were loaded are still in the first-level cache, where results often go back to. */
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

    /** Two ranks: everything fits into registers, where loops over arrays would be most of the time. */
    private static void reduceToBoth(long one, long other, long first, long second, long end) {
        for (long at = 0; at < end; at += STEP) {
            Vector<Object> result = canonical(load(first + at).lanewise(OPERATOR, load(second + at)));
            result.intoMemorySegment(NativeMemory.ALL, one + at, ByteOrder.nativeOrder());
            result.intoMemorySegment(NativeMemory.ALL, other + at, ByteOrder.nativeOrder());
        }
    }

    private static void reduceToEach(long[] destinations, int destinationCount, long[] sources, int count, long end) {
        long at = 0;
        for (; at <= end - 2 * STEP; at += 2 * STEP) {
            long from = sources[0] + at;
            Vector<Object> result0 = load(from);
            Vector<Object> result1 = load(from + STEP);
            int i = 1;
            for (; i < count; i++) {
                from = sources[i] + at;
                result0 = result0.lanewise(OPERATOR, load(from));
                result1 = result1.lanewise(OPERATOR, load(from + STEP));
            }
            result0 = canonical(result0);
            result1 = canonical(result1);
            i = 0;
            for (; i < destinationCount; i++) {
                long to = destinations[i] + at;
                result0.intoMemorySegment(NativeMemory.ALL, to, ByteOrder.nativeOrder());
                result1.intoMemorySegment(NativeMemory.ALL, to + STEP, ByteOrder.nativeOrder());
            }
        }
        for (; at < end; at += STEP) {
            Vector<Object> result = load(sources[0] + at);
            for (int i = 1; i < count; i++) {
                result = result.lanewise(OPERATOR, load(sources[i] + at));
            }
            for (int i = 0; i < destinationCount; i++) {
                store(destinations[i] + at, result);
            }
        }
    }

    private static Vector<Object> load(long address) {
        return SPECIES.fromMemorySegment(NativeMemory.ALL, address, ByteOrder.nativeOrder());
    }

    private static void store(long address, Vector<Object> result) {
        canonical(result).intoMemorySegment(NativeMemory.ALL, address, ByteOrder.nativeOrder());
    }

    private static Vector<Object> canonical(Vector<Object> result) {
        return CANONICAL_NAN == null ? result : result.blend(CANONICAL_NAN, result.test(VectorOperators.IS_NAN));
    }
}

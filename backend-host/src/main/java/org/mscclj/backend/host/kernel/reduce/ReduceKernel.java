package org.mscclj.backend.host.kernel.reduce;

import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.posix.NativeMemory;

/**
 * Element-wise reduction of buffers in native memory, for one element type and one operation.
 *
 * <p>Sources are combined in list order. The narrow floating-point types accumulate in binary32 and are rounded once,
 * to nearest even, when the result is stored; the fp8 types saturate, also from infinity, except for minimum and
 * maximum, which return an operand unchanged. Integers wrap. A result that is NaN is stored as the type's one canonical
 * NaN, so that the result's bits depend only on the sources' bits: not on vector or scalar code, the length, or the
 * compiled code. Both forms produce equal bits for two sources.
 *
 * <p>Addresses are absolute and need no alignment. {@code bytes} is a multiple of the element's size and may exceed
 * 2<sup>31</sup>. {@code destination} may equal any of the sources; any other overlap of it with a source gives
 * undefined results. Bytes outside {@code [destination, destination + bytes)} are not written, not even with their
 * current value. Kernels are thread-safe, and a call allocates nothing; the vector kernel replaces the scalar one when
 * a background thread has found it compiled.
 */
public interface ReduceKernel {
    /**
     * Bytes of the longest useful call: long runs are best for the processor's prefetching. A multiple of
     * {@link #LINE}.
     */
    long MAX_RUN = 256 * 1024;

    /** The unit of batches, in bytes: whole cache lines, and so whole elements, for any number of operands. */
    long LINE = 64;

    /**
     * The number of bytes of each operand that a call should handle at once; for {@link #reduceToAll} if there are
     * several destinations. A multiple of {@link #LINE}, at most {@link #MAX_RUN}.
     *
     * <p>Unless a kernel stores each result to all destinations at once, operands should still be in the second-level
     * cache when results are copied over them.
     */
    default long batch(int sources, int destinations) {
        return destinations == 1 && sources <= 2
                ? MAX_RUN
                : Math.clamp(128 * 1024 / sources / LINE * LINE, 4 * 1024, 32 * 1024);
    }

    /** {@code destination[i] = first[i] op second[i]}. */
    void reduce(long destination, long first, long second, long bytes);

    /**
     * {@code destination[i] = sources[0][i] op … op sources[count - 1][i]}, from left to right.
     *
     * @param sources addresses; only the first {@code count} are used
     * @param count at least 1
     */
    void reduce(long destination, long[] sources, int count, long bytes);

    /**
     * Like {@link #reduce(long, long[], int, long)}, with several destinations. For calls of some KiB at a time, so
     * that the result is still in the cache when it is copied.
     *
     * @param destinations addresses; only the first {@code destinationCount} are used, and each may equal any of the
     *     sources
     * @param destinationCount at least 1
     */
    default void reduceToAll(long[] destinations, int destinationCount, long[] sources, int count, long bytes) {
        reduce(destinations[0], sources, count, bytes);
        for (int i = 1; i < destinationCount; i++) {
            NativeMemory.copy(destinations[0], destinations[i], bytes);
        }
    }

    /**
     * The fastest kernel of this machine.
     *
     * <p>{@link ReduceOp.Kind#AVG} and {@link ReduceOp.Kind#PREMUL_SUM} have none: they are a sum that a
     * {@link org.mscclj.backend.host.kernel.scale.ScaleKernel} completes.
     *
     * @throws InvalidArgumentException if the operation is not defined on the type, or is not one of sum, product, min,
     *     max, band, bor, bxor
     */
    static ReduceKernel of(DataType type, ReduceOp.Kind kind) {
        return ReduceKernels.of(type, kind);
    }
}

package org.mscclj.gpu.engine;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.IntFunction;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.gpu.module.Kernel;

/**
 * The kernels of a plan for calls of one type and operation, by the size of the table behind the header. Loading one
 * waits until no kernel is on the GPU. Once these kernels are sealed, a launch uses one that is loaded, because other
 * ranks may wait for that launch.
 */
final class PlanKernels {
    private final List<Integer> sizes;
    private final IntFunction<Kernel> loading;
    private final ConcurrentMap<Integer, Kernel> loaded = new ConcurrentHashMap<>();
    private volatile boolean sealed;

    /** Launches with equal kernels. */
    record Key(DataType type, ReduceOp.Kind op, PacketType packets) {}

    /**
     * No kernels yet.
     *
     * @param sizes sizes of tables behind the header, in words, ascending; 0, the last: the table lies elsewhere
     * @param loading loads the kernel for a size
     */
    PlanKernels(List<Integer> sizes, IntFunction<Kernel> loading) {
        this.sizes = sizes;
        this.loading = loading;
    }

    /** Returns the kernel for a size of tables, and loads it if it is new. */
    Kernel load(int size) {
        return loaded.computeIfAbsent(size, loading::apply);
    }

    /** From now on, launches whose table is not larger than the largest that was loaded load no kernel. */
    void seal() {
        sealed = true;
    }

    boolean isSealed() {
        return sealed;
    }

    /** Returns whether a table of this many words lies elsewhere. */
    boolean isOutside(int words) {
        return RoundKernel.inlineWords(words, sizes) == 0;
    }

    /** Returns the size of table behind the header for a launch whose table has this many words. */
    int sizeFor(int words) {
        int best = RoundKernel.inlineWords(words, sizes);
        if (!sealed || loaded.containsKey(best)) {
            return best;
        }
        for (int size : sizes) {
            if ((size == 0 || size >= words) && loaded.containsKey(size)) {
                return size;
            }
        }
        return best;
    }
}

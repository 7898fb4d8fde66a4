package org.mscclj.gpu.engine;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.IntFunction;
import org.mscclj.gpu.module.Kernel;

/** Kernels that differ in the size of the table behind the header. */
final class SizedKernels {
    private final List<Integer> sizes;
    private final IntFunction<Kernel> loading;
    private final ConcurrentMap<Integer, Kernel> loaded = new ConcurrentHashMap<>();

    /**
     * No kernels yet.
     *
     * @param sizes sizes of tables behind the header, in words, ascending; 0, the last: the table lies elsewhere
     * @param loading loads the kernel for a size
     */
    SizedKernels(List<Integer> sizes, IntFunction<Kernel> loading) {
        this.sizes = sizes;
        this.loading = loading;
    }

    /** Returns the kernel for a size of tables, and loads it if it is new. */
    Kernel load(int size) {
        return loaded.computeIfAbsent(size, loading::apply);
    }

    /** Returns whether a table of this many words lies elsewhere. */
    boolean isOutside(int words) {
        return RoundKernel.inlineWords(words, sizes) == 0;
    }

    /**
     * Returns the size of table behind the header for a launch whose table has this many words.
     *
     * @param onlyLoaded whether a kernel that is loaded is preferred to one that fits better
     */
    int sizeFor(int words, boolean onlyLoaded) {
        int best = RoundKernel.inlineWords(words, sizes);
        if (!onlyLoaded || loaded.containsKey(best)) {
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

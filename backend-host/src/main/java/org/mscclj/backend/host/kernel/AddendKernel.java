package org.mscclj.backend.host.kernel;

import org.mscclj.api.type.DataType;
import org.mscclj.spi.engine.SumForm;

/**
 * Turns elements into the addends of an average or a premultiplied sum, and sums into elements;
 * {@link org.mscclj.spi.engine.Scaling} says how both are computed.
 *
 * <p>Addresses need no alignment. Counts are elements. Two buffers may be one if addends take the place of elements;
 * they may not overlap otherwise. Thread-safe; a call allocates nothing.
 */
public interface AddendKernel {
    /**
     * Turns elements into addends, each multiplied by {@code factor}.
     *
     * @param factor 1 for averages of integers; a whole number for premultiplied sums of integers
     */
    void contribute(long elements, long addends, long count, double factor);

    /**
     * Turns elements into addends, each multiplied by a factor in memory.
     *
     * @param factor address of one element of the caller's type
     */
    void contributeBy(long elements, long addends, long count, long factor);

    /** Turns sums into elements. */
    void finish(long sums, long elements, long count);

    /**
     * A kernel.
     *
     * @param type the type of elements
     * @param form the addends
     */
    static AddendKernel of(DataType type, SumForm form) {
        return KernelCache.addends(type, form);
    }
}

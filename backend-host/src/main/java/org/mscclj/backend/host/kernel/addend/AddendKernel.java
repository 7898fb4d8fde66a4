package org.mscclj.backend.host.kernel.addend;

import org.mscclj.api.type.DataType;
import org.mscclj.spi.engine.SumForm;

/**
 * Converts elements into the addends of an average or a premultiplied sum, and sums into elements;
 * {@link org.mscclj.spi.engine.Scaling} defines both conversions.
 *
 * <p>Addresses need no alignment. Counts are elements. Addends may overwrite their elements in one buffer; buffers may
 * not overlap otherwise. Thread-safe; a call allocates nothing.
 */
public interface AddendKernel {
    /**
     * Converts elements into addends, each multiplied by {@code factor}.
     *
     * @param factor 1 for averages of integers; a whole number for premultiplied sums of integers
     */
    void contribute(long elements, long addends, long count, double factor);

    /**
     * Converts elements into addends, each multiplied by a factor in memory.
     *
     * @param factor address of one element of the caller's type
     */
    void contributeBy(long elements, long addends, long count, long factor);

    /** Converts sums into elements. */
    void finish(long sums, long elements, long count);

    /**
     * Returns a kernel.
     *
     * @param type the type of elements
     * @param form the addends
     */
    static AddendKernel of(DataType type, SumForm form) {
        return AddendKernels.of(type, form);
    }
}

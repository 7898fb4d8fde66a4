package org.mscclj.backend.host.kernel;

import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;

/**
 * Multiplication or division of every element of a buffer in place, which completes premultiplied sums and averages.
 *
 * <p>Addresses, lengths, rounding and NaN are as in {@link ReduceKernel}. Thread-safe; a call allocates nothing.
 */
public interface ScaleKernel {
    /**
     * Multiplies each element by {@code factor}: in binary64 for float64, in binary32 with the factor rounded to
     * binary32 for the other floating-point types, wrapping for integers.
     *
     * @throws InvalidArgumentException if the elements are integers and {@code factor} is not an integer in
     *     [−2<sup>63</sup>, 2<sup>63</sup>)
     */
    void scale(long address, long bytes, double factor);

    /**
     * Multiplies each element by one of the same type, which need not be exact as a binary64 number.
     *
     * @param factor address of the factor
     */
    void scaleBy(long address, long bytes, long factor);

    /**
     * Divides each element by {@code divisor}: true division in binary64 for float64, in binary32 for the other
     * floating-point types, towards zero for signed integers, unsigned for unsigned integers.
     *
     * @param divisor at least 1
     * @throws InvalidArgumentException if {@code divisor} is less than 1
     */
    void divide(long address, long bytes, long divisor);

    /** The fastest kernel of this machine. */
    static ScaleKernel of(DataType type) {
        return KernelCache.scale(type);
    }
}

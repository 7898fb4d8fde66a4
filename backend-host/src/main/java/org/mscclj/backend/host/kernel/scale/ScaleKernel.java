package org.mscclj.backend.host.kernel.scale;

import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.backend.host.kernel.reduce.ReduceKernel;

/**
 * Multiplication or division of every element of a buffer in place, for addends and sums of averages and premultiplied
 * sums.
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
     * Multiplies each element by a factor of the elements' type, which need not be exact as a binary64 number.
     *
     * @param factor address of the factor
     */
    void scaleBy(long address, long bytes, long factor);

    /**
     * Divides each floating-point element by {@code divisor}: true division in binary64 for float64, in binary32 with
     * the divisor rounded to binary32 for the other types. Integers are not divided.
     *
     * @param divisor more than 0
     * @throws InvalidArgumentException if {@code divisor} is not more than 0, or the elements are integers
     */
    void divide(long address, long bytes, double divisor);

    /** The fastest kernel of this machine. */
    static ScaleKernel of(DataType type) {
        return ScaleKernels.of(type);
    }
}

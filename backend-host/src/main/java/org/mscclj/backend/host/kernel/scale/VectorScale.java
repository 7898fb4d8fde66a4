package org.mscclj.backend.host.kernel.scale;

import java.util.function.LongToDoubleFunction;

/**
 * Scaling by two loops over vectors.
 *
 * @param scalar handles the rest that is less than a vector, and elements that the loops cannot handle
 * @param load the element at an address
 */
record VectorScale(Loop multiplication, Loop division, ScaleKernel scalar, LongToDoubleFunction load)
        implements ScaleKernel {
    /** At least a vector, and a multiple of every element's size. */
    private static final long SCALAR_BYTES = 64;

    /** Combines each element of a buffer with one operand. */
    interface Loop {
        /**
         * Scales from {@code address} on, until the rest is less than a vector or the loop cannot handle it; returns
         * the number of bytes scaled.
         */
        long apply(long address, long bytes, double operand);
    }

    @Override
    public void scale(long address, long bytes, double factor) {
        for (long done = 0; done < bytes; ) {
            done += multiplication.apply(address + done, bytes - done, factor);
            long rest = Math.min(SCALAR_BYTES, bytes - done);
            scalar.scale(address + done, rest, factor);
            done += rest;
        }
    }

    @Override
    public void scaleBy(long address, long bytes, long factor) {
        scale(address, bytes, load.applyAsDouble(factor));
    }

    @Override
    public void divide(long address, long bytes, double divisor) {
        ScalarScales.checkDivisor(divisor);
        for (long done = 0; done < bytes; ) {
            done += division.apply(address + done, bytes - done, divisor);
            long rest = Math.min(SCALAR_BYTES, bytes - done);
            scalar.divide(address + done, rest, divisor);
            done += rest;
        }
    }
}

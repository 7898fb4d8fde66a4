package org.mscclj.backend.host.kernel.addend;

import java.lang.invoke.MethodHandles;
import org.mscclj.backend.host.kernel.format.IntegerFormat;
import org.mscclj.backend.host.kernel.variant.KernelTemplate;

/**
 * {@linkplain KernelTemplate Template} of addends for averages of integers, which are integers of more bits: their sum
 * does not wrap.
 */
final class WideAddends implements AddendKernel {
    /** The constant of a copy. */
    record Constant(IntegerFormat narrow, int narrowBytes, IntegerFormat wide, int wideBytes, long divisor) {}

    private static final Constant CONSTANT = KernelTemplate.constant(MethodHandles.lookup(), Constant.class);
    private static final IntegerFormat NARROW = CONSTANT.narrow();
    private static final int NARROW_BYTES = CONSTANT.narrowBytes();
    private static final IntegerFormat WIDE = CONSTANT.wide();
    private static final int WIDE_BYTES = CONSTANT.wideBytes();
    private static final long DIVISOR = CONSTANT.divisor();

    @Override
    public void contribute(long elements, long addends, long count, double factor) {
        for (long i = 0; i < count; i++) {
            WIDE.store(addends + i * WIDE_BYTES, NARROW.load(elements + i * NARROW_BYTES));
        }
    }

    @Override
    public void contributeBy(long elements, long addends, long count, long factor) {
        throw new IllegalStateException("averages have no factor in memory");
    }

    @Override
    public void finish(long sums, long elements, long count) {
        for (long i = 0; i < count; i++) {
            // Sums of unsigned integers of 32 bits are below 2^63: there are fewer than 2^31 ranks.
            NARROW.store(elements + i * NARROW_BYTES, WIDE.load(sums + i * WIDE_BYTES) / DIVISOR);
        }
    }
}

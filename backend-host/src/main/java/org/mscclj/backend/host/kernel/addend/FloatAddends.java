package org.mscclj.backend.host.kernel.addend;

import java.lang.invoke.MethodHandles;
import org.mscclj.backend.host.kernel.format.FloatFormat;
import org.mscclj.backend.host.kernel.variant.KernelTemplate;
import org.mscclj.posix.NativeMemory;

/** {@linkplain KernelTemplate Template} of float32 addends of narrower floating-point elements. */
final class FloatAddends implements AddendKernel {
    /** The constant of a copy. */
    record Constant(FloatFormat format, int bytes, float divisor) {}

    private static final Constant CONSTANT = KernelTemplate.constant(MethodHandles.lookup(), Constant.class);
    private static final FloatFormat FORMAT = CONSTANT.format();
    private static final int BYTES = CONSTANT.bytes();
    private static final float DIVISOR = CONSTANT.divisor();

    @Override
    public void contribute(long elements, long addends, long count, double factor) {
        float multiplier = (float) factor;
        for (long i = 0; i < count; i++) {
            NativeMemory.setInt(
                    addends + i * Float.BYTES, Float.floatToIntBits(FORMAT.load(elements + i * BYTES) * multiplier));
        }
    }

    @Override
    public void contributeBy(long elements, long addends, long count, long factor) {
        contribute(elements, addends, count, FORMAT.load(factor));
    }

    @Override
    public void finish(long sums, long elements, long count) {
        for (long i = 0; i < count; i++) {
            FORMAT.store(elements + i * BYTES, NativeMemory.getFloat(sums + i * Float.BYTES) / DIVISOR);
        }
    }
}

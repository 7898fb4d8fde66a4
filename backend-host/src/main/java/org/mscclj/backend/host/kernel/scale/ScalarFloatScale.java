package org.mscclj.backend.host.kernel.scale;

import java.lang.invoke.MethodHandles;
import org.mscclj.backend.host.kernel.format.FloatFormat;
import org.mscclj.backend.host.kernel.variant.KernelTemplate;

/**
 * {@linkplain KernelTemplate Template} of scaling, one element at a time, for types whose arithmetic is in binary32.
 */
final class ScalarFloatScale implements ScaleKernel {
    private static final FloatFormat FORMAT = KernelTemplate.constant(MethodHandles.lookup(), FloatFormat.class);
    private static final int BYTES = FORMAT.bytes();

    @Override
    public void scale(long address, long bytes, double factor) {
        float multiplier = (float) factor;
        for (long at = address; at < address + bytes; at += BYTES) {
            FORMAT.store(at, FORMAT.load(at) * multiplier);
        }
    }

    @Override
    public void scaleBy(long address, long bytes, long factor) {
        scale(address, bytes, FORMAT.load(factor));
    }

    @Override
    public void divide(long address, long bytes, double divisor) {
        ScalarScales.checkDivisor(divisor);
        float denominator = (float) divisor; // As in the vector twin.
        for (long at = address; at < address + bytes; at += BYTES) {
            FORMAT.store(at, FORMAT.load(at) / denominator);
        }
    }
}

package org.mscclj.backend.host.kernel.reduce;

import java.lang.invoke.MethodHandles;
import java.util.function.DoubleBinaryOperator;
import org.mscclj.backend.host.kernel.variant.KernelTemplate;
import org.mscclj.posix.NativeMemory;

/** {@linkplain KernelTemplate Template} of the scalar reductions of float64. */
final class ScalarDoubleReduce implements ScalarReduce {
    private static final DoubleBinaryOperator OPERATOR =
            KernelTemplate.constant(MethodHandles.lookup(), DoubleBinaryOperator.class);

    @Override
    public void reduce(long destination, long first, long second, long bytes) {
        for (long at = 0; at < bytes; at += Double.BYTES) {
            store(
                    destination + at,
                    OPERATOR.applyAsDouble(NativeMemory.getDouble(first + at), NativeMemory.getDouble(second + at)));
        }
    }

    @Override
    public void reduce(long destination, long[] sources, int count, long from, long to) {
        for (long at = from; at < to; at += Double.BYTES) {
            double result = NativeMemory.getDouble(sources[0] + at);
            for (int i = 1; i < count; i++) {
                result = OPERATOR.applyAsDouble(result, NativeMemory.getDouble(sources[i] + at));
            }
            store(destination + at, result);
        }
    }

    private static void store(long address, double value) {
        NativeMemory.setLong(address, Double.doubleToLongBits(value)); // NaN becomes canonical.
    }
}

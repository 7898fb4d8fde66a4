package org.mscclj.backend.host.kernel.reduce;

import java.lang.invoke.MethodHandles;
import org.mscclj.backend.host.kernel.format.FloatFormat;
import org.mscclj.backend.host.kernel.variant.KernelTemplate;
import org.mscclj.support.arithmetic.FloatOperator;

/** {@linkplain KernelTemplate Template} of the scalar reductions that accumulate in binary32. */
final class ScalarFloatReduce implements ScalarReduce {
    /** The constant of a copy. */
    record Constant(FloatFormat format, FloatOperator operator) {}

    private static final Constant CONSTANT = KernelTemplate.constant(MethodHandles.lookup(), Constant.class);
    private static final FloatFormat FORMAT = CONSTANT.format();
    private static final int BYTES = FORMAT.bytes();
    private static final FloatOperator OPERATOR = CONSTANT.operator();

    @Override
    public void reduce(long destination, long first, long second, long bytes) {
        for (long at = 0; at < bytes; at += BYTES) {
            float result = OPERATOR.applyAsFloat(FORMAT.load(first + at), FORMAT.load(second + at));
            FORMAT.store(destination + at, result);
        }
    }

    @Override
    public void reduce(long destination, long[] sources, int count, long from, long to) {
        for (long at = from; at < to; at += BYTES) {
            float result = FORMAT.load(sources[0] + at);
            for (int i = 1; i < count; i++) {
                result = OPERATOR.applyAsFloat(result, FORMAT.load(sources[i] + at));
            }
            FORMAT.store(destination + at, result);
        }
    }
}

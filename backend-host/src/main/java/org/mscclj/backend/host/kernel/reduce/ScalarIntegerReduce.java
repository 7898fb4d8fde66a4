package org.mscclj.backend.host.kernel.reduce;

import java.lang.invoke.MethodHandles;
import java.util.function.LongBinaryOperator;
import org.mscclj.backend.host.kernel.format.IntegerFormat;
import org.mscclj.backend.host.kernel.variant.KernelTemplate;

/** {@linkplain KernelTemplate Template} of the scalar reductions of integers. */
final class ScalarIntegerReduce implements ScalarReduce {
    /** The constant of a copy. */
    record Constant(IntegerFormat format, int bytes, LongBinaryOperator operator) {}

    private static final Constant CONSTANT = KernelTemplate.constant(MethodHandles.lookup(), Constant.class);
    private static final IntegerFormat FORMAT = CONSTANT.format();
    private static final int BYTES = CONSTANT.bytes();
    private static final LongBinaryOperator OPERATOR = CONSTANT.operator();

    @Override
    public void reduce(long destination, long first, long second, long bytes) {
        for (long at = 0; at < bytes; at += BYTES) {
            long result = OPERATOR.applyAsLong(FORMAT.load(first + at), FORMAT.load(second + at));
            FORMAT.store(destination + at, result);
        }
    }

    @Override
    public void reduce(long destination, long[] sources, int count, long from, long to) {
        for (long at = from; at < to; at += BYTES) {
            long result = FORMAT.load(sources[0] + at);
            for (int i = 1; i < count; i++) {
                result = OPERATOR.applyAsLong(result, FORMAT.load(sources[i] + at));
            }
            FORMAT.store(destination + at, result);
        }
    }
}

package org.mscclj.backend.host.kernel;

import java.lang.invoke.MethodHandles;
import java.util.function.LongBinaryOperator;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * {@linkplain Template Template} of scaling integers. There is no vector twin: processors have no vector division of
 * integers.
 */
final class ScalarIntegerScale implements ScaleKernel {
    /** What a copy is made for. */
    record Constant(IntegerFormat format, int bytes, LongBinaryOperator division) {}

    private static final Constant CONSTANT = Template.constant(MethodHandles.lookup(), Constant.class);
    private static final IntegerFormat FORMAT = CONSTANT.format();
    private static final int BYTES = CONSTANT.bytes();
    private static final LongBinaryOperator DIVISION = CONSTANT.division();

    @Override
    public void scale(long address, long bytes, double factor) {
        // 0x1p63 is the first double that a cast to long would not keep.
        if (factor != Math.rint(factor) || factor < -0x1p63 || factor >= 0x1p63) {
            throw InvalidArgumentException.of(
                    "factor", factor, "an integer of 64 bits, since the elements are integers");
        }
        multiply(address, bytes, (long) factor);
    }

    @Override
    public void scaleBy(long address, long bytes, long factor) {
        multiply(address, bytes, FORMAT.load(factor));
    }

    private static void multiply(long address, long bytes, long multiplier) {
        for (long at = address; at < address + bytes; at += BYTES) {
            FORMAT.store(at, FORMAT.load(at) * multiplier);
        }
    }

    @Override
    public void divide(long address, long bytes, long divisor) {
        ScalarKernels.checkDivisor(divisor);
        for (long at = address; at < address + bytes; at += BYTES) {
            FORMAT.store(at, DIVISION.applyAsLong(FORMAT.load(at), divisor));
        }
    }
}

package org.mscclj.backend.host.kernel.scale;

import java.lang.invoke.MethodHandles;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.backend.host.kernel.format.IntegerFormat;
import org.mscclj.backend.host.kernel.variant.KernelTemplate;

/** {@linkplain KernelTemplate Template} of scaling integers. */
final class ScalarIntegerScale implements ScaleKernel {
    /** The constant of a copy. */
    record Constant(IntegerFormat format, int bytes) {}

    private static final Constant CONSTANT = KernelTemplate.constant(MethodHandles.lookup(), Constant.class);
    private static final IntegerFormat FORMAT = CONSTANT.format();
    private static final int BYTES = CONSTANT.bytes();

    @Override
    public void scale(long address, long bytes, double factor) {
        // 0x1p63 is the first double that a cast to long does not preserve.
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
    public void divide(long address, long bytes, double divisor) {
        throw InvalidArgumentException.of("division", "integers", "floating point");
    }
}

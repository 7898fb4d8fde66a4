package org.mscclj.backend.host.kernel.scale;

import org.mscclj.posix.NativeMemory;

/** Scaling float64, one element at a time. */
final class ScalarDoubleScale implements ScaleKernel {
    @Override
    public void scale(long address, long bytes, double factor) {
        for (long at = address; at < address + bytes; at += Double.BYTES) {
            NativeMemory.setLong(at, Double.doubleToLongBits(NativeMemory.getDouble(at) * factor));
        }
    }

    @Override
    public void scaleBy(long address, long bytes, long factor) {
        scale(address, bytes, NativeMemory.getDouble(factor));
    }

    @Override
    public void divide(long address, long bytes, double divisor) {
        ScalarScales.checkDivisor(divisor);
        for (long at = address; at < address + bytes; at += Double.BYTES) {
            NativeMemory.setLong(at, Double.doubleToLongBits(NativeMemory.getDouble(at) / divisor));
        }
    }
}

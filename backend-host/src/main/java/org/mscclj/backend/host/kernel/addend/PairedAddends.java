package org.mscclj.backend.host.kernel.addend;

import org.mscclj.posix.NativeMemory;
import org.mscclj.support.arithmetic.PairedAverage;

/**
 * Addends for averages of integers of 64 bits: the quotient by the number of ranks, rounded down, and the element.
 *
 * @param average the arithmetic
 */
record PairedAddends(PairedAverage average) implements AddendKernel {
    private static final int PAIR_BYTES = 2 * Long.BYTES;

    @Override
    public void contribute(long elements, long addends, long count, double factor) {
        for (long i = 0; i < count; i++) {
            long element = NativeMemory.getLong(elements + i * Long.BYTES);
            NativeMemory.setLong(addends + i * PAIR_BYTES, average.quotient(element));
            NativeMemory.setLong(addends + i * PAIR_BYTES + Long.BYTES, element);
        }
    }

    @Override
    public void contributeBy(long elements, long addends, long count, long factor) {
        throw new IllegalStateException("averages have no factor in memory");
    }

    @Override
    public void finish(long sums, long elements, long count) {
        for (long i = 0; i < count; i++) {
            long quotients = NativeMemory.getLong(sums + i * PAIR_BYTES);
            long wrapped = NativeMemory.getLong(sums + i * PAIR_BYTES + Long.BYTES);
            NativeMemory.setLong(elements + i * Long.BYTES, average.average(quotients, wrapped));
        }
    }
}

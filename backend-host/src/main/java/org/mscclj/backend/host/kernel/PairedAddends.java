package org.mscclj.backend.host.kernel;

import org.mscclj.posix.NativeMemory;

/**
 * Addends for averages of integers of 64 bits: the quotient by the number of ranks, rounded down, and the element.
 *
 * @param ranks the number of ranks
 * @param unsigned whether elements are unsigned
 */
record PairedAddends(long ranks, boolean unsigned) implements AddendKernel {
    private static final int PAIR_BYTES = 2 * Long.BYTES;

    @Override
    public void contribute(long elements, long addends, long count, double factor) {
        for (long i = 0; i < count; i++) {
            long element = NativeMemory.getLong(elements + i * Long.BYTES);
            long quotient = unsigned ? Long.divideUnsigned(element, ranks) : Math.floorDiv(element, ranks);
            NativeMemory.setLong(addends + i * PAIR_BYTES, quotient);
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
            NativeMemory.setLong(elements + i * Long.BYTES, average(quotients, wrapped));
        }
    }

    /** The remainders add up to less than {@code ranks * ranks}, so that their value modulo 2^64 is their value. */
    private long average(long quotients, long wrapped) {
        long remainders = wrapped - quotients * ranks;
        long floor = quotients + remainders / ranks;
        return !unsigned && floor < 0 && remainders % ranks != 0 ? floor + 1 : floor;
    }
}

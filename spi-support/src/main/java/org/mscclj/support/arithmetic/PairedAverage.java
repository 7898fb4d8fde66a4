package org.mscclj.support.arithmetic;

/**
 * The average of integers of 64 bits, whose sum may wrap: the addends of an element are its quotient by the number of
 * ranks, rounded down, and the element itself.
 *
 * @param ranks the number of ranks
 * @param unsigned whether elements are unsigned
 */
public record PairedAverage(long ranks, boolean unsigned) {
    /** The first addend of an element; the second is the element. */
    public long quotient(long element) {
        return unsigned ? Long.divideUnsigned(element, ranks) : Math.floorDiv(element, ranks);
    }

    /**
     * The average, truncated toward zero. The remainders add up to less than {@code ranks * ranks}, so that their value
     * modulo 2^64 is their value.
     *
     * @param quotients the sum of the first addends
     * @param wrapped the sum of the second addends, which may have wrapped
     */
    public long average(long quotients, long wrapped) {
        long remainders = wrapped - quotients * ranks;
        long floor = quotients + remainders / ranks;
        return !unsigned && floor < 0 && remainders % ranks != 0 ? floor + 1 : floor;
    }
}

package org.mscclj.plan.language;

import java.math.BigInteger;

/**
 * How often a step is done in a launch: once, or as often as a pipeline iterates, which is the same for all pipelines
 * of the same bytes per unit.
 *
 * @param chunks chunks for each {@code units}, without common divisor; 0 outside pipelines
 * @param units bytes of that many chunks' iteration
 */
record Iterations(long chunks, long units) {
    /** Outside pipelines. */
    static final Iterations ONE = new Iterations(0, 1);

    static Iterations of(long unitBytes, int chunks) {
        long divisor =
                BigInteger.valueOf(unitBytes).gcd(BigInteger.valueOf(chunks)).longValueExact();
        return new Iterations(chunks / divisor, unitBytes / divisor);
    }

    /** For messages: where it is, beginning with a blank; empty outside pipelines. */
    @Override
    public String toString() {
        return chunks == 0 ? "" : " in each iteration of a pipeline";
    }
}

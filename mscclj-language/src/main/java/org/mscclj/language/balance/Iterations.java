package org.mscclj.language.balance;

import java.math.BigInteger;

/**
 * How often a step is executed in a launch: once, or once in each iteration of a pipeline. All pipelines with the same
 * number of bytes per unit have the same number of iterations.
 *
 * @param chunks chunks for each {@code units}, as a reduced fraction; 0 outside pipelines
 * @param units bytes of one iteration of that many chunks
 */
public record Iterations(long chunks, long units) {
    /** One execution, outside pipelines. */
    public static final Iterations ONE = new Iterations(0, 1);

    /** As often as a pipeline with this unit, over this many chunks. */
    public static Iterations of(long unitBytes, int chunks) {
        long divisor =
                BigInteger.valueOf(unitBytes).gcd(BigInteger.valueOf(chunks)).longValueExact();
        return new Iterations(chunks / divisor, unitBytes / divisor);
    }

    /** Text for messages that begins with a space; empty outside pipelines. */
    @Override
    public String toString() {
        return chunks == 0 ? "" : " in each iteration of a pipeline";
    }
}

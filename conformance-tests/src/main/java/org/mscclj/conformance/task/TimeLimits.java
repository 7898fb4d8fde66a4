package org.mscclj.conformance.task;

import java.time.Duration;

/** Time limits of the suite for work that should end by itself. */
public final class TimeLimits {
    /** The limit for work that ends at once. */
    public static final Duration GRACE = Duration.ofSeconds(5);

    /** The largest number of operations, each with its own timeout, that a case waits for. */
    private static final int OPERATIONS = 4;

    /**
     * The longest time to make and check an element, by code that is compiled for fast compilation, on a core that
     * other processes use, too.
     */
    private static final long NANOS_PER_ELEMENT = 1_000;

    private TimeLimits() {}

    /**
     * Returns the limit of a case with little data.
     *
     * @param timeout the timeout of an operation
     */
    public static Duration ofCase(Duration timeout) {
        return ofCase(timeout, 0);
    }

    /**
     * Returns the limit of a case. It includes the suite's own work, which is not the implementation's fault.
     *
     * @param timeout the timeout of an operation
     * @param elements elements of all ranks' buffers together
     */
    public static Duration ofCase(Duration timeout, long elements) {
        return timeout.multipliedBy(OPERATIONS).plus(GRACE).plusNanos(elements * NANOS_PER_ELEMENT);
    }
}

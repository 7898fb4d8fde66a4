package org.mscclj.conformance.task;

import java.time.Duration;

/** How long is waited for what should have ended by itself. */
public final class Patience {
    /** For what ends at once. */
    public static final Duration GRACE = Duration.ofSeconds(5);

    /** Operations, each with its own timeout, that a case waits for at most. */
    private static final int OPERATIONS = 4;

    /**
     * What making and checking an element takes at most, by code that is compiled for speed of compilation, on a core
     * that others use too.
     */
    private static final long NANOS_PER_ELEMENT = 1_000;

    private Patience() {}

    /**
     * For a case without data to speak of.
     *
     * @param timeout what an operation may take
     */
    public static Duration ofCase(Duration timeout) {
        return ofCase(timeout, 0);
    }

    /**
     * For a case: the suite's own work is not the implementation's fault.
     *
     * @param timeout what an operation may take
     * @param elements elements of all ranks' buffers together
     */
    public static Duration ofCase(Duration timeout, long elements) {
        return timeout.multipliedBy(OPERATIONS).plus(GRACE).plusNanos(elements * NANOS_PER_ELEMENT);
    }
}

package org.mscclj.conformance.task;

import java.time.Duration;

/** How long is waited for what should have ended by itself. */
public final class Patience {
    /** For what ends at once. */
    public static final Duration GRACE = Duration.ofSeconds(5);

    /** Operations, each with its own timeout, that a case waits for at most. */
    private static final int OPERATIONS = 4;

    private Patience() {}

    /**
     * For a case.
     *
     * @param timeout what an operation may take
     */
    public static Duration ofCase(Duration timeout) {
        return timeout.multipliedBy(OPERATIONS).plus(GRACE);
    }
}

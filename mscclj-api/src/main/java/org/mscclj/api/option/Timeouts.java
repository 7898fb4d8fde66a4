package org.mscclj.api.option;

import java.time.Duration;
import java.util.Objects;
import org.mscclj.api.error.InvalidArgumentException;

/** Timeouts as callers name them. Zero, or a duration that no process outlives, means no timeout. */
public final class Timeouts {
    /** No timeout: thirty years, so that nanoseconds fit. */
    public static final Duration NONE = Duration.ofSeconds(1_000_000_000);

    private Timeouts() {}

    /**
     * Returns a timeout in its only form.
     *
     * @param timeout zero, or longer than {@link #NONE}, for no timeout
     * @throws InvalidArgumentException if it is negative
     */
    public static Duration of(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        if (timeout.isNegative()) {
            throw InvalidArgumentException.of("timeout", timeout, "0 for none, or more");
        }
        return timeout.isZero() || timeout.compareTo(NONE) > 0 ? NONE : timeout;
    }
}

package org.mscclj.backend.host.step;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many signals this rank has waited for, by channel. Values persist over launches and are shared by relaxed and full waits,
 * and by all blocks that wait on a channel.
 */
public final class ExpectedValues {
    private static final int STRIDE = 16;

    private final AtomicLongArray values;

    /** All values 0. */
    public ExpectedValues(int channels) {
        values = new AtomicLongArray(channels * STRIDE);
    }

    /** The next value of a channel's counter to wait for. */
    long next(int channel) {
        return values.incrementAndGet(channel * STRIDE);
    }
}

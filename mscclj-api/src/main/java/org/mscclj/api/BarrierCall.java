package org.mscclj.api;

import java.time.Duration;
import java.util.Objects;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.CallOptions;
import org.mscclj.api.option.KnownHint;

/**
 * A barrier of streams. On each rank it ends when it has begun on all ranks, that is, when all work that each rank's
 * stream held before the barrier has ended. Work that is enqueued after the barrier starts after it.
 * {@link Communicator#barrier()} is a barrier of host threads instead. Immutable; start from {@link #STREAMS} and
 * refine.
 *
 * @param options timeout and hints
 */
public record BarrierCall(CallOptions options) {
    /** A barrier with the communicator's timeout and without hints. */
    public static final BarrierCall STREAMS = new BarrierCall(CallOptions.NONE);

    /** Checks that nothing is null. */
    public BarrierCall {
        Objects.requireNonNull(options, "options");
    }

    /** Returns a copy with other options. */
    public BarrierCall options(CallOptions changed) {
        return new BarrierCall(changed);
    }

    /**
     * Returns a copy with a timeout in place of the communicator's; see {@link CallOptions}.
     *
     * @throws InvalidArgumentException if it is negative; zero means none
     */
    public BarrierCall timeout(Duration limit) {
        return options(options.timeout(limit));
    }

    /**
     * Returns a copy with one more hint; see {@link KnownHint}.
     *
     * @throws InvalidArgumentException if the key is blank
     */
    public BarrierCall hint(String key, String value) {
        return options(options.hint(key, value));
    }
}

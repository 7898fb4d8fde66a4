package org.mscclj.api;

import java.time.Duration;
import java.util.Objects;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.CallOptions;
import org.mscclj.api.option.KnownHint;

/**
 * A barrier of streams: on each rank it ends when it has begun on all of them, that is, when whatever each rank's
 * stream held before has ended. What a stream gets afterwards begins after that. {@link Communicator#barrier()} is one
 * of host threads instead. Immutable; start from {@link #STREAMS} and refine.
 *
 * @param options timeout and hints
 */
public record BarrierCall(CallOptions options) {
    /** With the communicator's timeout and without hints. */
    public static final BarrierCall STREAMS = new BarrierCall(CallOptions.NONE);

    /** Checks that nothing is null. */
    public BarrierCall {
        Objects.requireNonNull(options, "options");
    }

    /** With other options. */
    public BarrierCall options(CallOptions changed) {
        return new BarrierCall(changed);
    }

    /**
     * With another timeout than the communicator's, as {@link CallOptions} says.
     *
     * @throws InvalidArgumentException if it is not positive
     */
    public BarrierCall timeout(Duration limit) {
        return options(options.timeout(limit));
    }

    /**
     * With one more hint; see {@link KnownHint}.
     *
     * @throws InvalidArgumentException if the key is blank
     */
    public BarrierCall hint(String key, String value) {
        return options(options.hint(key, value));
    }
}

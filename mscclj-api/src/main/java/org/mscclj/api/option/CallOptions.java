package org.mscclj.api.option;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * What any call may say besides its arguments. Ranks may say different things. Immutable; start from {@link #NONE} and
 * refine.
 *
 * <p>The timeout is what {@link org.mscclj.api.Work#join()} of the call waits in place of the communicator's; of an
 * operation that is prepared every join names its own. If it is longer than the communicator's, the watchdog of this
 * rank lets each launch of the call take as long, and no other launch: the watchdogs of other ranks that have made the
 * same launch go by what is said there. If it is shorter, joining throws earlier, and the launch stays in flight.
 *
 * <p>It is also the longest that this rank waits for the others while the call is set up, each time that it waits for
 * them: in {@code prepare}, and in {@code execute} at the first call of a kind. {@code execute} throws
 * {@link org.mscclj.api.error.OperationTimeoutException} itself then, and has launched nothing; the ranks may call
 * again.
 *
 * @param timeout for joining and setting up, positive; empty for the communicator's
 * @param hints wishes for the call; see {@link KnownHint}
 */
public record CallOptions(Optional<Duration> timeout, Hints hints) {
    /** The communicator's timeout, and no hints. */
    public static final CallOptions NONE = new CallOptions(Optional.empty(), Hints.NONE);

    /**
     * Checks the timeout, and that nothing is null.
     *
     * @throws InvalidArgumentException if it is not positive
     */
    public CallOptions {
        Objects.requireNonNull(timeout, "timeout");
        Objects.requireNonNull(hints, "hints");
        timeout.ifPresent(limit -> {
            if (limit.isNegative() || limit.isZero()) {
                throw InvalidArgumentException.of("timeout", limit, "more than 0");
            }
        });
    }

    /**
     * With a timeout.
     *
     * @throws InvalidArgumentException if it is not positive
     */
    public CallOptions timeout(Duration limit) {
        return new CallOptions(Optional.of(Objects.requireNonNull(limit, "timeout")), hints);
    }

    /**
     * With one more hint, which replaces one of the same key.
     *
     * @throws InvalidArgumentException if the key is blank
     */
    public CallOptions hint(String key, String value) {
        return new CallOptions(timeout, hints.with(key, value));
    }
}

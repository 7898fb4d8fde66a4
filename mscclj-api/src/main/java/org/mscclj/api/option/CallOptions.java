package org.mscclj.api.option;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * The options of a call besides its arguments. Ranks may pass different options. Immutable; start from {@link #NONE}
 * and refine.
 *
 * <p>{@link org.mscclj.api.Work#join()} of the call uses the timeout in place of the communicator's; each join of a
 * prepared operation takes its own. If the timeout is longer than the communicator's, the watchdog of this rank applies
 * it to each launch of the call, and to no other launch; the watchdogs of other ranks apply the options that were
 * passed there. If it is shorter, joining throws earlier, and the launch stays in flight.
 *
 * <p>The timeout also limits each wait of this rank for other ranks while the call is set up: in {@code prepare}, and
 * in {@code execute} when a class is set up. If it expires there, {@code execute} itself throws
 * {@link org.mscclj.api.error.OperationTimeoutException} and launches nothing; the ranks may call again.
 *
 * @param timeout for joining and setting up; empty for the communicator's
 * @param hints hints for the call; see {@link KnownHint}
 */
public record CallOptions(Optional<Duration> timeout, Hints hints) {
    /** The communicator's timeout, and no hints. */
    public static final CallOptions NONE = new CallOptions(Optional.empty(), Hints.NONE);

    /**
     * Checks the timeout, and that nothing is null.
     *
     * @throws InvalidArgumentException if it is negative
     */
    public CallOptions {
        Objects.requireNonNull(timeout, "timeout");
        Objects.requireNonNull(hints, "hints");
        timeout = timeout.map(Timeouts::of);
    }

    /**
     * Returns a copy with a timeout.
     *
     * @param limit the timeout; zero, or longer than {@link Timeouts#NONE}, for none
     * @throws InvalidArgumentException if it is negative
     */
    public CallOptions timeout(Duration limit) {
        return new CallOptions(Optional.of(Objects.requireNonNull(limit, "timeout")), hints);
    }

    /**
     * Returns a copy with one more hint, which replaces one of the same key.
     *
     * @throws InvalidArgumentException if the key is blank
     */
    public CallOptions hint(String key, String value) {
        return new CallOptions(timeout, hints.with(key, value));
    }
}

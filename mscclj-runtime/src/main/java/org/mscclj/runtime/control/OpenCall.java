package org.mscclj.runtime.control;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Something in which a rank waits for others while it sets something up, as in a split, or a barrier of the host.
 *
 * @param what what it is, in words
 * @param since when the rank came
 * @param awaited the ranks that had not come when this was asked
 */
public record OpenCall(String what, Instant since, List<Integer> awaited) {
    /** Copies the list. */
    public OpenCall {
        awaited = List.copyOf(awaited);
    }

    /** For example "split, for 12 s". */
    @Override
    public String toString() {
        return what + ", for " + Duration.between(since, Instant.now()).toSeconds() + " s";
    }
}

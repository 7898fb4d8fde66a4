package org.mscclj.runtime.control;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A call of set-up in which a rank waits for other ranks, for example a split or a barrier of the host.
 *
 * @param what a description of the call
 * @param since when the rank came to the call
 * @param awaited the ranks that had not come when this object was made
 */
public record OpenCall(String what, Instant since, List<Integer> awaited) {
    /** Copies the list. */
    public OpenCall {
        awaited = List.copyOf(awaited);
    }

    /** Returns a description, for example "split, for 12 s". */
    @Override
    public String toString() {
        return what + ", for " + Duration.between(since, Instant.now()).toSeconds() + " s";
    }
}

package org.mscclj.spi.engine;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.OperationTimeoutException;

/**
 * Why launches of a communicator do not end.
 *
 * @param ranks because of which they do not, as far as is known
 * @param words what the ranks do about it
 */
public record Lateness(List<Integer> ranks, String words) {
    /** Copies the list. */
    public Lateness {
        ranks = List.copyOf(ranks);
    }

    /**
     * What a wait for a stream throws that has taken too long, with the ranks that keep its launches from ending. May
     * wait a second for the answers of other ranks.
     *
     * @param work what has not ended, with the stream, in words
     * @param orders of the launches that may be late, the one to ask first in front; empty if they are not known
     */
    public static OperationTimeoutException ofStream(String work, Duration timeout, List<LaunchOrder> orders) {
        Optional<Lateness> why = orders.stream()
                .map(LaunchOrder::lateness)
                .flatMap(Optional::stream)
                .findFirst();
        return new OperationTimeoutException(
                work + " had not ended after " + DurationText.of(timeout)
                        + why.map(late -> "; the first: " + late.words()).orElse("")
                        + "; wait longer, or abort the communicator",
                why.map(Lateness::ranks).orElseGet(List::of));
    }
}

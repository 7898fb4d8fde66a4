package org.mscclj.spi.engine;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.OperationTimeoutException;

/**
 * The reason why launches of a communicator do not end.
 *
 * @param ranks the ranks that keep them from ending, as far as is known
 * @param words describes the state of these ranks
 */
public record Lateness(List<Integer> ranks, String words) {
    /** Copies the list. */
    public Lateness {
        ranks = List.copyOf(ranks);
    }

    /**
     * Creates the exception of a wait for a stream that has timed out, with the ranks that keep its launches from
     * ending. May wait a second for the answers of other ranks.
     *
     * @param work describes the work that has not ended, and the stream
     * @param orders the orders of the launches that may be late, in the order in which they are queried; empty if they
     *     are not known
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

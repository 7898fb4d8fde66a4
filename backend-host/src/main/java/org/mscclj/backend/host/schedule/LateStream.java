package org.mscclj.backend.host.schedule;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.spi.engine.Lateness;
import org.mscclj.spi.engine.LaunchOrder;

/** What a wait for a stream throws that has taken too long. */
final class LateStream {
    private LateStream() {}

    /**
     * The exception, with the ranks that keep the launches in front from ending. May wait a second for their answers.
     *
     * @param operations how many have not ended
     * @param front the first of them; null if it is not known any more
     */
    static OperationTimeoutException exception(long operations, Duration timeout, @Nullable Command front) {
        List<LaunchOrder> orders = front == null ? List.of() : front.orders();
        Optional<Lateness> why = orders.stream()
                .map(LaunchOrder::lateness)
                .flatMap(Optional::stream)
                .findFirst();
        return new OperationTimeoutException(
                operations + " operations of a stream had not ended after " + DurationText.of(timeout)
                        + why.map(late -> "; the first: " + late.words()).orElse("")
                        + "; wait longer, or abort their communicator",
                why.map(Lateness::ranks).orElseGet(List::of));
    }
}

package org.mscclj.runtime.recorder;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.spi.transfer.Transfer;

/**
 * A launch, as somebody who looked saw it.
 *
 * @param place where it is among the rank's launches
 * @param shared launches that all ranks make which this rank had made when it had made this one
 * @param description what was launched
 * @param words what was launched, in words
 * @param transfers the messages of which it consists, on this rank possibly none; empty if it does not
 * @param replay whether it is the replay of a graph
 * @param state how far it is
 * @param unknown why that is not known; empty if it is
 * @param enqueued when it was enqueued
 * @param seenStarted when somebody who looked first saw it begun; empty if nobody has
 * @param seenEnded when somebody who looked first saw it ended; empty if nobody has
 */
public record RecordedLaunch(
        LaunchPlace place,
        long shared,
        OperationDescription description,
        String words,
        Optional<List<Transfer>> transfers,
        boolean replay,
        LaunchState state,
        Optional<String> unknown,
        Instant enqueued,
        Optional<Instant> seenStarted,
        Optional<Instant> seenEnded) {
    /** Position among the launches of its kind, from 1. */
    public long sequence() {
        return place.number();
    }
}

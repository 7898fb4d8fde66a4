package org.mscclj.runtime.recorder;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.spi.transfer.Transfer;

/**
 * A launch, as an inspecting thread saw it.
 *
 * @param place its place among the rank's launches
 * @param shared number of launches of all ranks that this rank had made when it had made this one
 * @param description description of the operation
 * @param text the operation in a message
 * @param transfers the point-to-point transfers of which it consists, on this rank possibly none; empty if it does not
 *     consist of them
 * @param replay whether it is the replay of a graph
 * @param state its progress
 * @param unknown why the progress is not known; empty if it is
 * @param enqueued when it was enqueued
 * @param seenStarted when an inspecting thread first saw it begun; empty if none has
 * @param seenEnded when an inspecting thread first saw it ended; empty if none has
 */
public record RecordedLaunch(
        LaunchPlace place,
        long shared,
        OperationDescription description,
        String text,
        Optional<List<Transfer>> transfers,
        boolean replay,
        LaunchState state,
        Optional<String> unknown,
        Instant enqueued,
        Optional<Instant> seenStarted,
        Optional<Instant> seenEnded) {
    /** Returns the position among the launches of its kind, from 1. */
    public long sequence() {
        return place.number();
    }
}

package org.mscclj.cli.debug;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A launch in a dump.
 *
 * @param isAlone whether only some ranks make it, as with point-to-point operations
 * @param number its number, from 1, among the launches of all ranks; for point-to-point operations, among those of the
 *     rank
 * @param isOfMessages whether it consists of point-to-point operations; some launches of all ranks do
 * @param operation the operation, for example allreduce, or messages for point-to-point operations
 * @param type the element type; empty if it has none
 * @param bytes its size in bytes, as hooks receive it
 * @param transfers its sends and receives
 * @param state enqueued, started, completed, failed or unknown
 * @param enqueued time of the launch
 * @param seenStarted time at which it was first seen running, if it was
 * @param seenEnded time at which it was first seen ended, if it was
 */
record LaunchRecord(
        boolean isAlone,
        long number,
        boolean isOfMessages,
        String operation,
        String type,
        long bytes,
        List<Message> transfers,
        String state,
        Instant enqueued,
        Optional<Instant> seenStarted,
        Optional<Instant> seenEnded) {
    LaunchRecord {
        transfers = List.copyOf(transfers);
    }

    /**
     * A send or a receive.
     *
     * @param sends whether this rank sends
     * @param peer the other rank
     * @param bytes its size
     */
    record Message(boolean sends, int peer, long bytes) {}
}

package org.mscclj.cli.debug;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a dump says of a launch.
 *
 * @param isAlone whether only some ranks make it, as they do launches of messages
 * @param number among the launches that all ranks make; of messages, among those of the rank, from 1
 * @param isOfMessages whether it consists of messages; so do some launches that all ranks make
 * @param operation for example allreduce, or messages
 * @param type of its elements; empty if it has none
 * @param bytes its size, as hooks are told it
 * @param transfers the messages that it moves
 * @param state enqueued, started, completed, failed or unknown
 * @param enqueued when it was made
 * @param seenStarted when it was first seen at work, if it was
 * @param seenEnded when it was first seen to have ended, if it was
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
     * One end of a message.
     *
     * @param sends whether this rank sends it, or receives it
     * @param peer the rank at the other end
     * @param bytes its size
     */
    record Message(boolean sends, int peer, long bytes) {}
}

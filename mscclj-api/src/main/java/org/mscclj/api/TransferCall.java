package org.mscclj.api;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.CallOptions;
import org.mscclj.api.option.KnownHint;

/**
 * Messages from rank to rank that move at the same time, in one launch. Immutable; start from {@link #batch} and add.
 *
 * <p>Only ranks that send or receive take part. Messages between two ranks, in one direction, are received in the order in which they are sent, whatever
 * batches they are in; sizes must be equal at both ends. A launch ends when all of its messages have moved: so ranks that exchange messages larger than what
 * lanes hold have to send and receive in the same batch, as launches of a rank follow one another. A rank may send to itself, if it receives in the same batch.
 *
 * @param messages this rank's ends of the messages, in order
 * @param options timeout and hints of this call
 */
public record TransferCall(List<Message> messages, CallOptions options) {
    /**
     * This rank's end of a message.
     *
     * @param sends whether it is sent, or received
     * @param buffer what is sent, or where what is received goes: any memory of the rank's device
     * @param peer the rank at the other end
     */
    public record Message(boolean sends, DeviceBuffer buffer, int peer) {
        /** Checks that there is a buffer. */
        public Message {
            Objects.requireNonNull(buffer, "buffer");
        }
    }

    private static final TransferCall EMPTY = new TransferCall(List.of());

    /** Copies the list. */
    public TransferCall {
        messages = List.copyOf(Objects.requireNonNull(messages, "messages"));
        Objects.requireNonNull(options, "options");
    }

    /** Messages with the communicator's timeout and without hints. */
    public TransferCall(List<Message> messages) {
        this(messages, CallOptions.NONE);
    }

    /** No messages yet. */
    public static TransferCall batch() {
        return EMPTY;
    }

    /** With a message to a rank. */
    public TransferCall send(DeviceBuffer buffer, int to) {
        return with(new Message(true, buffer, to));
    }

    /** With a message from a rank. */
    public TransferCall receive(DeviceBuffer buffer, int from) {
        return with(new Message(false, buffer, from));
    }

    private TransferCall with(Message message) {
        List<Message> more = new ArrayList<>(messages);
        more.add(message);
        return new TransferCall(more, options);
    }

    /** With other options. */
    public TransferCall options(CallOptions changed) {
        return new TransferCall(messages, changed);
    }

    /**
     * With another timeout than the communicator's, as {@link CallOptions} says.
     *
     * @throws InvalidArgumentException if it is not positive
     */
    public TransferCall timeout(Duration limit) {
        return options(options.timeout(limit));
    }

    /**
     * With one more hint; see {@link KnownHint}.
     *
     * @throws InvalidArgumentException if the key is blank
     */
    public TransferCall hint(String key, String value) {
        return options(options.hint(key, value));
    }
}

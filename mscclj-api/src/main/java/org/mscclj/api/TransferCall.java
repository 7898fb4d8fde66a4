package org.mscclj.api;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.mscclj.api.check.GivenList;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.CallOptions;
import org.mscclj.api.option.KnownHint;
import org.mscclj.api.type.DataType;

/**
 * Messages from rank to rank that move at the same time, in one launch. Immutable; start from {@link #batch} and add.
 *
 * <p>Only ranks that send or receive take part, unless the messages are {@linkplain PartOf part of a collective}.
 * Messages between two ranks, in one direction, are received in the order in which they are sent, whatever batches they
 * are in; sizes must be equal at both ends. A launch ends when all of its messages have moved: so ranks that exchange
 * messages larger than what lanes hold have to send and receive in the same batch, as launches of a rank follow one
 * another. A rank may send to itself, if it receives in the same batch.
 *
 * @param messages this rank's ends of the messages, in order
 * @param options timeout and hints of this call
 * @param type of the elements that the messages consist of; empty if nobody needs to know, since they are moved as
 *     bytes
 * @param partOf the collective that all ranks call, of which these are this rank's messages; empty if ranks send and
 *     receive as they like
 */
public record TransferCall(
        List<Message> messages, CallOptions options, Optional<DataType> type, Optional<PartOf> partOf) {
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

    /**
     * A collective that consists of messages, as those of {@link VariableCalls}. All ranks launch it, also one that has
     * no messages, so it is counted, and compared, as other collectives are: by what is said here, by the type, and by
     * the sizes that both ends of each message have.
     *
     * @param operation what is called, for example {@code alltoall}
     * @param root the root; −1 if there is none
     */
    public record PartOf(String operation, int root) {
        /** Checks that there is an operation. */
        public PartOf {
            Objects.requireNonNull(operation, "operation");
        }
    }

    private static final TransferCall EMPTY = new TransferCall(List.of());

    /**
     * Copies the list.
     *
     * @throws InvalidArgumentException if there is a type, and a message does not consist of whole elements of it
     */
    public TransferCall {
        messages = GivenList.copy(messages, "messages");
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(partOf, "partOf");
        if (type.isPresent()) {
            requireWhole(messages, type.get());
        }
    }

    /** Messages of bytes. */
    public TransferCall(List<Message> messages, CallOptions options) {
        this(messages, options, Optional.empty(), Optional.empty());
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
        return new TransferCall(more, options, type, partOf);
    }

    /**
     * With the type of the elements that all messages consist of. They are moved as before; what looks at elements, as
     * {@link KnownHint#NAN_CHECK} does, goes by it. A communicator refuses messages whose buffers do not begin at a
     * multiple of the size of an element.
     *
     * @throws InvalidArgumentException if a message does not consist of whole elements
     */
    public TransferCall type(DataType elements) {
        return new TransferCall(messages, options, Optional.of(Objects.requireNonNull(elements, "type")), partOf);
    }

    /** As this rank's messages of a collective that all ranks call. */
    public TransferCall partOf(PartOf collective) {
        return new TransferCall(messages, options, type, Optional.of(Objects.requireNonNull(collective, "collective")));
    }

    private static void requireWhole(List<Message> messages, DataType type) {
        for (Message message : messages) {
            if (message.buffer().byteSize() % type.byteSize() != 0) {
                throw InvalidArgumentException.of(
                        "message " + (message.sends() ? "to" : "from") + " rank " + message.peer(),
                        message.buffer().byteSize() + " bytes",
                        "a multiple of " + type.byteSize() + ": whole " + type + " elements");
            }
        }
    }

    /** With other options. */
    public TransferCall options(CallOptions changed) {
        return new TransferCall(messages, changed, type, partOf);
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

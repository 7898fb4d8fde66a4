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
 * A batch of sends and receives that move concurrently, in one launch. Immutable; start from {@link #batch} and add.
 *
 * <p>Only ranks that send or receive take part, unless the batch is {@linkplain PartOf part of a collective}. A rank
 * receives from a peer in the order in which the peer sends, across batches; sizes must be equal at both ends. A launch
 * ends when all of its data has moved, and launches of a rank run one after the other: so ranks that exchange more data
 * than the lanes hold must send and receive in one batch. A rank may send to itself, if it receives in the same batch.
 *
 * @param messages this rank's sends and receives, in order
 * @param options timeout and hints of this call
 * @param type type of the elements that are moved; empty if no reader needs it, since data moves as bytes
 * @param partOf the collective that all ranks call, of which this batch is this rank's part; empty for point-to-point
 *     calls
 */
public record TransferCall(
        List<Message> messages, CallOptions options, Optional<DataType> type, Optional<PartOf> partOf) {
    /**
     * A send, or a receive, of this rank.
     *
     * @param sends whether it is sent, or received
     * @param buffer the memory to send from or to receive into: any memory of the rank's device
     * @param peer the rank at the other end
     */
    public record Message(boolean sends, DeviceBuffer buffer, int peer) {
        /** Checks that there is a buffer. */
        public Message {
            Objects.requireNonNull(buffer, "buffer");
        }
    }

    /**
     * A collective that consists of sends and receives, as the calls of {@link VariableCalls} do. All ranks launch it,
     * also a rank that moves no data, so it is counted and compared as other collectives are: by the components of this
     * record, by the type, and by the sizes at both ends of each transfer.
     *
     * @param operation the name of the call, for example {@code alltoall}
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
     * @throws InvalidArgumentException if there is a type, and a send or receive does not consist of whole elements of
     *     it
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

    /** A batch that moves bytes. */
    public TransferCall(List<Message> messages, CallOptions options) {
        this(messages, options, Optional.empty(), Optional.empty());
    }

    /** A batch with the communicator's timeout and without hints. */
    public TransferCall(List<Message> messages) {
        this(messages, CallOptions.NONE);
    }

    /** An empty batch. */
    public static TransferCall batch() {
        return EMPTY;
    }

    /** Returns a copy with a send to a rank. */
    public TransferCall send(DeviceBuffer buffer, int to) {
        return with(new Message(true, buffer, to));
    }

    /** Returns a copy with a receive from a rank. */
    public TransferCall receive(DeviceBuffer buffer, int from) {
        return with(new Message(false, buffer, from));
    }

    private TransferCall with(Message message) {
        List<Message> more = new ArrayList<>(messages);
        more.add(message);
        return new TransferCall(more, options, type, partOf);
    }

    /**
     * Returns a copy with the type of the elements that all sends and receives move. The type does not change the
     * transfer; checks of elements, such as {@link KnownHint#NAN_CHECK}, use it. A communicator refuses buffers that do
     * not begin at a multiple of the size of an element.
     *
     * @throws InvalidArgumentException if a send or receive does not consist of whole elements
     */
    public TransferCall type(DataType elements) {
        return new TransferCall(messages, options, Optional.of(Objects.requireNonNull(elements, "type")), partOf);
    }

    /** Returns a copy that is this rank's part of a collective that all ranks call. */
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

    /** Returns a copy with other options. */
    public TransferCall options(CallOptions changed) {
        return new TransferCall(messages, changed, type, partOf);
    }

    /**
     * Returns a copy with a timeout in place of the communicator's; see {@link CallOptions}.
     *
     * @throws InvalidArgumentException if it is negative; zero means none
     */
    public TransferCall timeout(Duration limit) {
        return options(options.timeout(limit));
    }

    /**
     * Returns a copy with one more hint; see {@link KnownHint}.
     *
     * @throws InvalidArgumentException if the key is blank
     */
    public TransferCall hint(String key, String value) {
        return options(options.hint(key, value));
    }
}

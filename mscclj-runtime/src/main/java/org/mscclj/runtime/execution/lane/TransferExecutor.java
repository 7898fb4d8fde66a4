package org.mscclj.runtime.execution.lane;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.TransferCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.DataType;
import org.mscclj.runtime.execution.context.PeerReports;
import org.mscclj.runtime.execution.environment.CallArguments;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.operation.LaunchComparison;
import org.mscclj.runtime.execution.operation.NanCheck;
import org.mscclj.runtime.execution.operation.PartSizes;
import org.mscclj.runtime.execution.operation.Preparation;
import org.mscclj.runtime.execution.operation.PreparedCall;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.signature.LaunchSignature;
import org.mscclj.spi.Feature;
import org.mscclj.spi.transfer.Transfer;
import org.mscclj.spi.transfer.TransferLanes;
import org.mscclj.spi.transfer.TransferSpec;

/**
 * Prepares point-to-point transfers on one rank. The lanes are set up with the communicator, since at most two ranks
 * take part in a transfer. Used by one thread at a time.
 */
public final class TransferExecutor implements AutoCloseable {
    private final ExecutionEnvironment environment;

    private Optional<LaneContext> lanes = Optional.empty();

    /** Resources of lanes that could not be set up. */
    private List<AutoCloseable> unfinished = List.of();

    /** Creates an executor without lanes. */
    public TransferExecutor(ExecutionEnvironment environment) {
        this.environment = environment;
    }

    /**
     * Sets the lanes up, if the backend supports point-to-point transfers. Collective. If this method fails, allocated
     * memory stays until {@link #close}: peers may be about to map it, and must first be notified that this rank gives
     * up.
     */
    public void connect() {
        if (environment.capabilities().features().contains(Feature.POINT_TO_POINT)) {
            List<AutoCloseable> resources = new ArrayList<>();
            try {
                lanes = Optional.of(LaneContext.open(
                        environment
                                .device()
                                .transferPreference()
                                .lanes(environment.control().nodes().ofRanks()),
                        environment,
                        resources));
            } catch (RuntimeException | Error e) {
                unfinished = resources;
                throw e;
            }
        }
    }

    /** Returns what the ranks can do together. Empty if there are no lanes, so that no rank has tried. */
    public Optional<PeerReports> reports() {
        return lanes.map(LaneContext::reports);
    }

    /** Prepares a batch of transfers; see {@link org.mscclj.api.Communicator#prepare(TransferCall)}. */
    public PreparedCall prepare(TransferCall call, Preparation preparation) {
        LaneContext opened = lanes.orElseThrow(() -> new UnsupportedException("backend "
                + environment.device().backend()
                + " cannot send messages from rank to rank (POINT_TO_POINT); use a backend that"
                + " can, as mscclj info says"));
        environment.hints().checkCall(call.options().hints());
        TransferSpec spec = spec(opened.lanes(), call);
        List<DeviceBuffer> buffers =
                call.messages().stream().map(TransferCall.Message::buffer).toList();
        MessageWords words = new MessageWords(spec);
        Preparation prepared = preparation.withOptions(call.options()).withNanCheck(nanCheck(call));
        return words(call, preparation.algorithm())
                .map(part -> opened.prepare(spec, buffers, prepared, words.description(part), part))
                .orElseGet(() ->
                        opened.prepare(spec, buffers, prepared, words.description(preparation.algorithm()), words));
    }

    /**
     * Compares the calls of all ranks before the launch, if the comparison is on and all ranks make the call. Then this
     * method is collective.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException on every rank, if calls differ, or if one is refused
     */
    public void requireSameCall(TransferCall call, Preparation preparation) {
        if (environment.options().checksCalls()) {
            lanes.ifPresent(opened -> words(call, preparation.algorithm())
                    .ifPresent(words -> LaunchComparison.require(
                            environment.control(),
                            LaunchSignature.ofMessages(words.description(0)),
                            () -> Optional.of(
                                    PartSizes.of(spec(opened.lanes(), call).transfers())))));
        }
    }

    private static Optional<PartWords> words(TransferCall call, String algorithm) {
        return call.partOf()
                .map(part ->
                        new PartWords(part, call.type().map(DataType::toString).orElse(""), algorithm));
    }

    /** Checks the data that a call sends for NaN before the call is executed, if the check is on. */
    public void lookForNan(TransferCall call, Stream stream) {
        NanCheck check = nanCheck(call);
        if (check != null) {
            check.look(stream);
        }
    }

    private @Nullable NanCheck nanCheck(TransferCall call) {
        Optional<DataType> type = call.type();
        if (type.isEmpty() || !NanCheck.isWanted(environment, call.options(), type.get())) {
            return null;
        }
        List<NanCheck.Input> sent = call.messages().stream()
                .filter(TransferCall.Message::sends)
                .map(message -> new NanCheck.Input("what it sends to rank " + message.peer(), message.buffer()))
                .toList();
        return NanCheck.of(environment, "messages", type.get(), sent);
    }

    private TransferSpec spec(TransferLanes of, TransferCall call) {
        int rank = environment.control().rank();
        List<Transfer> transfers = new ArrayList<>();
        Deque<DeviceBuffer> sentToSelf = new ArrayDeque<>();
        Deque<DeviceBuffer> receivedFromSelf = new ArrayDeque<>();
        for (TransferCall.Message message : call.messages()) {
            int peer = message.peer();
            if (peer < 0 || peer >= environment.control().size()) {
                throw InvalidArgumentException.of(
                        message.sends() ? "rank to send to" : "rank to receive from",
                        peer,
                        "0 to " + (environment.control().size() - 1));
            }
            DeviceBuffer buffer = message.buffer();
            call.type().ifPresent(type -> requireAligned(message, type));
            if (peer == rank) {
                (message.sends() ? sentToSelf : receivedFromSelf).add(buffer);
            } else {
                transfers.add(new Transfer(message.sends(), peer, buffer.address(), buffer.byteSize()));
            }
        }
        TransferSpec spec = new TransferSpec(
                of,
                transfers,
                copies(rank, sentToSelf, receivedFromSelf),
                List.of(),
                call.partOf().isPresent());
        MessageMemory.requireApart(rank, spec);
        return spec;
    }

    /** Requires aligned memory. Transfers of bytes, which name no type, may begin at any address. */
    private void requireAligned(TransferCall.Message message, DataType type) {
        environment
                .arguments()
                .checkAlignment(
                        "messages",
                        (message.sends() ? "what it sends to rank " : "what it receives from rank ") + message.peer(),
                        message.buffer(),
                        type);
    }

    private static List<TransferSpec.LocalCopy> copies(
            int rank, Deque<DeviceBuffer> sent, Deque<DeviceBuffer> received) {
        if (sent.size() != received.size()) {
            throw new InvalidArgumentException(
                    "rank " + rank + " sends " + sent.size() + " messages to itself, and receives " + received.size()
                            + " from itself; add the others to the same batch");
        }
        List<TransferSpec.LocalCopy> copies = new ArrayList<>();
        while (!sent.isEmpty()) {
            DeviceBuffer from = sent.remove();
            DeviceBuffer to = received.remove();
            if (from.byteSize() != to.byteSize()) {
                throw new InvalidArgumentException("rank " + rank + " sends " + from.byteSize()
                        + " bytes to itself, and receives " + to.byteSize() + "; the sizes of a message must be equal");
            }
            boolean same = from.address() == to.address();
            if (!same && CallArguments.overlap(from, to)) {
                throw new InvalidArgumentException("what rank " + rank
                        + " sends to itself overlaps where it shall go; pass the same memory, or memory apart");
            }
            copies.add(new TransferSpec.LocalCopy(from.address(), to.address(), from.byteSize()));
        }
        return copies;
    }

    /**
     * Closes the operations that are still open, or that graphs keep. Waits for their launches on all streams. Replays
     * fail from now on.
     */
    public void closeOperations() {
        lanes.ifPresent(LaneContext::closeOperations);
    }

    /** Frees the lanes. Every rank's launches must have ended. */
    @Override
    public void close() {
        List<AutoCloseable> left = new ArrayList<>(unfinished);
        lanes.ifPresent(left::add);
        unfinished = List.of();
        lanes = Optional.empty();
        Resources.close(left);
    }
}

package org.mscclj.runtime.execution.operation;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.api.option.CallOptions;
import org.mscclj.api.option.KnownHint;
import org.mscclj.api.type.DataType;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.waiting.ClosedRanks;
import org.mscclj.runtime.fault.Blame;
import org.mscclj.runtime.nan.NanScan;
import org.mscclj.runtime.recorder.FlightRecorder;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.Feature;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.waiting.Backoff;

/**
 * Checks the input of an operation on this rank for NaN before the launch. Each rank checks alone, before the ranks do
 * anything together for the launch: a rank that finds a NaN can make the call again, and the other ranks wait for it.
 * Safe for use by several threads.
 */
public final class NanCheck {
    /** Size of one read, in bytes, from memory that the host cannot access. */
    private static final long PIECE_BYTES = 4L << 20;

    private final ExecutionEnvironment environment;
    private final String operation;
    private final DataType type;
    private final List<Input> inputs;

    /**
     * A part of the input.
     *
     * @param name names the part in messages
     */
    public record Input(String name, DeviceBuffer buffer) {}

    private record Found(Input input, long index) {}

    private NanCheck(ExecutionEnvironment environment, String operation, DataType type, List<Input> inputs) {
        this.environment = environment;
        this.operation = operation;
        this.type = type;
        this.inputs = inputs;
    }

    /**
     * Returns whether the input of a call must be checked, if it has one. Allocates nothing if the call has no hints.
     */
    public static boolean isWanted(ExecutionEnvironment environment, CallOptions options, DataType type) {
        return environment.hints().checksNan(options.hints()) && type.isFloat();
    }

    /** Returns the check of the input of a collective call; null if it is not enabled, or if this rank has no input. */
    public static @Nullable NanCheck of(ExecutionEnvironment environment, CollectiveCall call) {
        boolean readsInput = !call.collective().startsAtRoot()
                || call.root() == environment.control().rank();
        return readsInput && isWanted(environment, call.options(), call.type())
                ? of(environment, call.collective().label(), call.type(), List.of(new Input("the input", call.input())))
                : null;
    }

    /**
     * Returns a check of the input of an operation; null if the input is empty.
     *
     * @param operation names the operation in messages
     * @param type a floating-point type
     * @param inputs parts of the input; parts with equal address and size are checked once
     */
    public static @Nullable NanCheck of(
            ExecutionEnvironment environment, String operation, DataType type, List<Input> inputs) {
        Set<List<Long>> known = new HashSet<>();
        List<Input> different = inputs.stream()
                .filter(input -> input.buffer().byteSize() > 0
                        && known.add(
                                List.of(input.buffer().address(), input.buffer().byteSize())))
                .toList();
        return different.isEmpty() ? null : new NanCheck(environment, operation, type, different);
    }

    /**
     * Waits for the work that was enqueued before, and checks the input. Does nothing if the launch is captured, since
     * the input of a replay is not there yet, and nothing if a buffer is closed, since the launch refuses it.
     *
     * @param on the stream of the launch
     * @throws InvalidArgumentException if there is a NaN
     * @throws OperationTimeoutException if the work that was enqueued before has not ended within the communicator's
     *     timeout
     */
    public void look(Stream on) {
        if (on.isCapturing()) {
            return;
        }
        List<AutoCloseable> retained = new ArrayList<>();
        try {
            if (retain(retained)) {
                awaitEarlier(on);
                requireNone();
            }
        } finally {
            Resources.close(retained);
        }
    }

    private boolean retain(List<AutoCloseable> retained) {
        try {
            OpenOperations.retain(
                    environment.device(), inputs.stream().map(Input::buffer).toList(), retained);
            return true;
        } catch (InvalidArgumentException _) {
            return false;
        }
    }

    /**
     * Waits for the work that may write the input: earlier work on the stream, and earlier launches of the communicator
     * on other streams.
     */
    private void awaitEarlier(Stream on) {
        LaunchOrder order = environment.order();
        throwIfAborted();
        try (Event event = environment.device().createEvent()) {
            on.record(event);
            long earlier = order.taken();
            Backoff backoff = new Backoff();
            backoff.start(environment.timeout());
            ClosedRanks closed = new ClosedRanks(environment, false, null);
            while (!event.isReached() || !isEnded(order, earlier)) {
                throwIfAborted();
                ClosedRanks.Vain vain = closed.look();
                if (vain != null) {
                    throw neverEnds(vain);
                }
                if (!backoff.pause()) {
                    throw late();
                }
            }
        }
        throwIfAborted();
    }

    private static boolean isEnded(LaunchOrder order, long ticket) {
        if (order.endedCount() < ticket) {
            order.look();
        }
        return order.endedCount() >= ticket;
    }

    private void throwIfAborted() {
        if (environment.abort().isSet()) {
            throw environment.abort().exception(operation);
        }
    }

    private RankLostException neverEnds(ClosedRanks.Vain vain) {
        return new RankLostException(
                vain.rank(),
                subject()
                        + ": its input is looked at for NaN when what was launched before has ended, which never does:"
                        + " rank " + vain.rank() + " has closed its communicator, and " + vain.reason()
                        + "; nothing was launched: close the communicator, or shrink it");
    }

    private OperationTimeoutException late() {
        FlightRecorder recorder = environment.recorder();
        Optional<Blame> blame = recorder.isOn()
                ? recorder.firstInFlight().map(place -> Blame.of(environment.control(), recorder, place))
                : Optional.empty();
        return new OperationTimeoutException(
                subject()
                        + ": its input is looked at for NaN when what was enqueued before has ended, which it"
                        + " had not after "
                        + DurationText.of(environment.timeout())
                        + blame.map(why -> "; " + why.description()).orElse("")
                        + "; nothing was launched: call again, or abort the communicator",
                blame.map(Blame::ranks).orElse(List.of()));
    }

    private void requireNone() {
        Optional<Found> first = Optional.empty();
        long all = 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment staging = isHostMemory() ? MemorySegment.NULL : arena.allocate(mostBytes(), Long.BYTES);
            for (Input input : inputs) {
                NanScan scan = scan(input.buffer(), staging);
                all += scan.found();
                if (first.isEmpty() && scan.found() > 0) {
                    first = Optional.of(new Found(input, scan.first()));
                }
            }
        }
        if (first.isPresent()) {
            throw refusal(first.get(), all);
        }
    }

    private boolean isHostMemory() {
        return environment.capabilities().features().contains(Feature.HOST_MEMORY);
    }

    /** Returns the bytes of the largest read. */
    private long mostBytes() {
        return Math.min(
                PIECE_BYTES,
                inputs.stream()
                        .mapToLong(input -> input.buffer().byteSize())
                        .max()
                        .orElse(0));
    }

    private NanScan scan(DeviceBuffer buffer, MemorySegment staging) {
        NanScan scan = NanScan.of(type);
        for (long at = 0; at < buffer.byteSize(); at += PIECE_BYTES) {
            throwIfAborted();
            DeviceBuffer piece = buffer.slice(at, Math.min(PIECE_BYTES, buffer.byteSize() - at));
            scan.scan(isHostMemory() ? piece.segment() : read(piece, staging));
        }
        return scan;
    }

    private static MemorySegment read(DeviceBuffer piece, MemorySegment staging) {
        MemorySegment read = staging.asSlice(0, piece.byteSize());
        piece.copyTo(read);
        return read;
    }

    private InvalidArgumentException refusal(Found first, long all) {
        long count = first.input().buffer().byteSize() / type.byteSize();
        return new InvalidArgumentException(subject() + ": " + first.input().name() + " has NaN at element "
                + first.index() + " of " + count + " " + type + " (byte " + first.index() * type.byteSize()
                + "), the first of "
                + all
                + "; nothing was launched, and the other ranks wait: call again with an input without NaN, or"
                + " abort the communicator;"
                + " the check is on because of " + KnownHint.NAN_CHECK.key() + " or MSCCLJ_NAN_CHECK");
    }

    private String subject() {
        return operation + ", rank " + environment.control().rank();
    }
}

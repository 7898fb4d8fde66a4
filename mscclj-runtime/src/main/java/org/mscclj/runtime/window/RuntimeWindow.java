package org.mscclj.runtime.window;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.execution.BufferHold;
import org.mscclj.runtime.execution.ExecutionEnvironment;
import org.mscclj.runtime.execution.LaneContext;
import org.mscclj.runtime.execution.Preparation;
import org.mscclj.runtime.execution.PreparedPlan;
import org.mscclj.runtime.execution.SingleLaunches;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.engine.DeviceHandle;
import org.mscclj.spi.transfer.TransferSpec;

/** A window over mapped memory: accesses are copies that this rank's device carries out, signals are counts on lanes of the window's own. */
final class RuntimeWindow implements Window {
    private final ExecutionEnvironment environment;
    private final Stream stream;
    private final DeviceBuffer memory;
    private final WindowMemory ranks;
    private final LaneContext lanes;
    private final SingleLaunches singles;
    private @Nullable DeviceHandle handle;
    private boolean closed;
    private boolean freed;

    private RuntimeWindow(
            ExecutionEnvironment environment,
            Stream stream,
            DeviceBuffer memory,
            WindowMemory ranks,
            LaneContext lanes) {
        this.environment = environment;
        this.stream = stream;
        this.memory = memory;
        this.ranks = ranks;
        this.lanes = lanes;
        this.singles = new SingleLaunches(environment);
    }

    /** Opens one. Collective. */
    static RuntimeWindow open(ExecutionEnvironment environment, Stream stream, DeviceBuffer memory) {
        WindowMemory ranks = WindowMemory.open(environment.control(), environment.device(), memory);
        try {
            LaneContext lanes = LaneContext.open(
                    environment
                            .device()
                            .transferPreference()
                            .signals(environment.control().nodes().ofRanks()),
                    environment);
            return new RuntimeWindow(environment, stream, memory, ranks, lanes);
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(List.of(ranks), e);
            throw e;
        }
    }

    @Override
    public DeviceBuffer memory() {
        return memory;
    }

    @Override
    public long byteSize(int rank) {
        requireRank(rank);
        return ranks.byteSize(rank);
    }

    @Override
    public PreparedOperation prepare(WindowCall call) {
        return prepare(call, BufferHold.UNTIL_CLOSED);
    }

    @Override
    public Work execute(WindowCall call) {
        return singles.launch(() -> prepare(call, BufferHold.IN_FLIGHT));
    }

    private PreparedPlan prepare(WindowCall call, BufferHold hold) {
        requireOpen();
        Objects.requireNonNull(call, "call");
        requireRank(call.rank());
        environment.hints().checkCall(call.options().hints());
        long bytes = call.buffer().map(DeviceBuffer::byteSize).orElse(0L);
        OperationDescription description = new OperationDescription("window", "", "", -1, bytes, false, "one_sided");
        return lanes.prepare(
                spec(call),
                retained(call),
                new Preparation("one_sided", stream, hold).withOptions(call.options()),
                description,
                call.toString());
    }

    /** What the window maps itself is no use that keeps it from closing: its own operations end first. */
    private List<DeviceBuffer> retained(WindowCall call) {
        return call.buffer()
                .filter(buffer -> !ranks.isMapped(buffer))
                .map(List::of)
                .orElseGet(List::of);
    }

    private TransferSpec spec(WindowCall call) {
        return switch (call.kind()) {
            case PUT -> copy(call, true);
            case GET -> copy(call, false);
            case SIGNAL -> signal(call.rank(), true);
            case WAIT_SIGNAL -> signal(call.rank(), false);
        };
    }

    private TransferSpec copy(WindowCall call, boolean puts) {
        DeviceBuffer buffer = call.buffer().orElseThrow();
        long bytes = buffer.byteSize();
        long size = ranks.byteSize(call.rank());
        if (call.offset() > size - bytes) {
            throw InvalidArgumentException.of(
                    call.toString(),
                    "up to byte " + (call.offset() + bytes),
                    "0 to " + size + ", the memory of rank " + call.rank() + " in this window");
        }
        if (bytes == 0) {
            return new TransferSpec(lanes.lanes(), List.of(), List.of(), List.of());
        }
        long remote = ranks.address(call.rank()).orElseThrow() + call.offset();
        long own = buffer.address();
        boolean same = own == remote;
        if (!same && Math.abs(own - remote) < bytes) {
            throw new InvalidArgumentException(
                    call + ": the buffer overlaps the range; pass the same memory, or memory apart");
        }
        return new TransferSpec(
                lanes.lanes(),
                List.of(),
                same ? List.of() : List.of(new TransferSpec.LocalCopy(puts ? own : remote, puts ? remote : own, bytes)),
                List.of());
    }

    private TransferSpec signal(int peer, boolean sends) {
        if (peer == environment.control().rank()) {
            throw InvalidArgumentException.of(
                    sends ? "rank to signal" : "rank to wait for",
                    peer,
                    "another rank: this rank's launches run in their order without signals");
        }
        return new TransferSpec(lanes.lanes(), List.of(), List.of(), List.of(new TransferSpec.Signal(peer, sends)));
    }

    @Override
    public DeviceBuffer mapRemote(int rank) {
        requireOpen();
        requireRank(rank);
        return ranks.view(rank);
    }

    @Override
    public long deviceHandle() {
        requireOpen();
        DeviceHandle known = handle;
        if (known == null) {
            known = lanes.windowHandle(ranks.addresses(), ranks.sizes());
            handle = known;
        }
        return known.address();
    }

    private void requireRank(int rank) {
        int size = environment.control().size();
        if (rank < 0 || rank >= size) {
            throw InvalidArgumentException.of("rank", rank, "0 to " + (size - 1));
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new InvalidArgumentException("the window is closed; open another one");
        }
        if (environment.abort().isSet()) {
            throw environment.abort().exception("window");
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        Optional<MsccljException> failure = together("closing a window", ranks::requireUnused);
        closeOperations();
        try {
            failure.or(() -> together("ending the signals of a window", lanes::stop))
                    .ifPresent(e -> {
                        throw e;
                    });
        } finally {
            free();
        }
    }

    /**
     * Does something once all ranks have come. Those who are lost, or have ended this communicator by an abort, access nothing any more.
     *
     * @return why not all have come
     * @throws InvalidArgumentException if a rank refuses
     */
    private Optional<MsccljException> together(String what, Runnable step) {
        if (environment.abort().isSet()) {
            return Optional.empty();
        }
        try {
            Exchange.gather(environment.control(), what, () -> {
                step.run();
                return new byte[0];
            });
            return Optional.empty();
        } catch (AbortedException | RankLostException | OperationTimeoutException e) {
            return environment.abort().isSet() ? Optional.empty() : Optional.of(e);
        }
    }

    /** Ends this rank's launches, and refuses others. */
    void closeOperations() {
        closed = true;
        lanes.closeOperations();
        singles.forget();
    }

    boolean isFreed() {
        return freed;
    }

    /** Frees what it has. Peers must not access this rank's memory any more. */
    void free() {
        if (!freed) {
            freed = true;
            List<AutoCloseable> resources = new ArrayList<>(List.of(ranks, lanes));
            Optional.ofNullable(handle).ifPresent(resources::add);
            Resources.close(resources);
        }
    }
}

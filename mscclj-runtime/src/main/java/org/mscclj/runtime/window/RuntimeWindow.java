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
import org.mscclj.runtime.control.ClosedPeer;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.lane.LaneContext;
import org.mscclj.runtime.execution.lane.WindowPorts;
import org.mscclj.runtime.execution.operation.BufferHold;
import org.mscclj.runtime.execution.operation.Preparation;
import org.mscclj.runtime.execution.operation.PreparedCall;
import org.mscclj.runtime.execution.operation.SingleLaunches;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.engine.DeviceHandle;
import org.mscclj.spi.transfer.RemoteAccess;
import org.mscclj.spi.transfer.TransferLanes;
import org.mscclj.spi.transfer.TransferPreference;
import org.mscclj.spi.transfer.TransferSpec;

/**
 * A window. Accesses to mapped memory are copies that this rank's device carries out; accesses to memory on other
 * nodes, and signals, use the window's own lanes.
 */
final class RuntimeWindow implements Window {
    private static final String ALGORITHM = "one_sided";

    private final ExecutionEnvironment environment;
    private final Stream stream;
    private final DeviceBuffer memory;
    private final WindowMemory ranks;
    private final LaneContext lanes;

    /** Access to memory on other nodes; empty if there are no other nodes. */
    private final Optional<WindowPorts> ports;

    private final SingleLaunches singles;
    private @Nullable DeviceHandle handle;
    private boolean closed;
    private boolean freed;

    private RuntimeWindow(
            ExecutionEnvironment environment,
            Stream stream,
            DeviceBuffer memory,
            WindowMemory ranks,
            LaneContext lanes,
            Optional<WindowPorts> ports) {
        this.environment = environment;
        this.stream = stream;
        this.memory = memory;
        this.ranks = ranks;
        this.lanes = lanes;
        this.ports = ports;
        this.singles = new SingleLaunches(environment);
    }

    /** Opens a window. Collective. */
    static RuntimeWindow open(ExecutionEnvironment environment, Stream stream, DeviceBuffer memory) {
        List<AutoCloseable> opened = new ArrayList<>();
        try {
            WindowMemory ranks = WindowMemory.open(environment.control(), environment.device(), memory);
            opened.add(ranks);
            LaneContext lanes = LaneContext.open(lanes(environment), environment);
            opened.add(lanes);
            Optional<WindowPorts> ports =
                    leadsToNodes(environment) ? Optional.of(lanes.share(memory)) : Optional.empty();
            return new RuntimeWindow(environment, stream, memory, ranks, lanes, ports);
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(opened, e);
            throw e;
        }
    }

    private static TransferLanes lanes(ExecutionEnvironment environment) {
        TransferPreference preference = environment.device().transferPreference();
        List<Integer> nodes = environment.control().nodes().ofRanks();
        return leadsToNodes(environment) ? preference.accesses(nodes) : preference.signals(nodes);
    }

    private static boolean leadsToNodes(ExecutionEnvironment environment) {
        return environment.control().nodes().several();
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
        return prepare(call, stream, BufferHold.UNTIL_CLOSED);
    }

    @Override
    public Work execute(WindowCall call) {
        return execute(call, stream);
    }

    @Override
    public Work execute(WindowCall call, Stream on) {
        Objects.requireNonNull(on, "stream");
        return singles.launch(() -> prepare(call, on, BufferHold.IN_FLIGHT));
    }

    private PreparedCall prepare(WindowCall call, Stream on, BufferHold hold) {
        requireOpen();
        Objects.requireNonNull(call, "call");
        requireRank(call.rank());
        environment.hints().checkCall(call.options().hints());
        long bytes = call.buffer().map(DeviceBuffer::byteSize).orElse(0L);
        OperationDescription description = description(call, bytes);
        Preparation preparation = new Preparation(ALGORITHM, on, hold).withOptions(call.options());
        boolean accesses = call.buffer().isPresent();
        if (accesses) {
            requireInside(call, bytes);
        }
        if (bytes > 0
                && !environment.control().nodes().share(environment.control().rank(), call.rank())) {
            return lanes.prepare(remote(call), retained(call), preparation, description, call.toString());
        }
        TransferSpec spec = accesses ? copy(call) : signal(call.rank(), call.kind() == WindowCall.Kind.SIGNAL);
        return lanes.prepare(spec, retained(call), preparation, description, call.toString());
    }

    private static OperationDescription description(WindowCall call, long bytes) {
        String where = "rank " + call.rank();
        return switch (call.kind()) {
            case PUT -> description("put", bytes, "to " + where + " at offset " + call.offset());
            case GET -> description("get", bytes, "from " + where + " at offset " + call.offset());
            case SIGNAL -> description("signal", 0, "to " + where);
            case WAIT_SIGNAL -> description("wait_signal", 0, "from " + where);
        };
    }

    private static OperationDescription description(String operation, long bytes, String where) {
        return new OperationDescription(operation, "", "", -1, bytes, false, where, ALGORITHM);
    }

    /**
     * Returns the buffers that the operation keeps from being closed. A mapping of the window itself is not among them:
     * the operations of the window end before the window closes its mappings.
     */
    private List<DeviceBuffer> retained(WindowCall call) {
        return call.buffer()
                .filter(buffer -> !ranks.isMapped(buffer))
                .map(List::of)
                .orElseGet(List::of);
    }

    private void requireInside(WindowCall call, long bytes) {
        long size = ranks.byteSize(call.rank());
        if (call.offset() > size - bytes) {
            throw InvalidArgumentException.of(
                    call.toString(),
                    "up to byte " + (call.offset() + bytes),
                    "0 to " + size + ", the memory of rank " + call.rank() + " in this window");
        }
    }

    private RemoteAccess remote(WindowCall call) {
        WindowPorts known = ports.orElseThrow();
        DeviceBuffer buffer = call.buffer().orElseThrow();
        return call.kind() == WindowCall.Kind.PUT
                ? known.put(call.rank(), buffer.address(), buffer.byteSize(), call.offset())
                : known.get(call.rank(), buffer.address(), buffer.byteSize(), call.offset());
    }

    private TransferSpec copy(WindowCall call) {
        DeviceBuffer buffer = call.buffer().orElseThrow();
        long bytes = buffer.byteSize();
        if (bytes == 0) {
            return new TransferSpec(lanes.lanes(), List.of(), List.of(), List.of());
        }
        boolean puts = call.kind() == WindowCall.Kind.PUT;
        long remote = ranks.address(call.rank()) + call.offset();
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
        requireOther(sends ? "rank to signal" : "rank to wait for", peer);
        return new TransferSpec(lanes.lanes(), List.of(), List.of(), List.of(new TransferSpec.Signal(peer, sends)));
    }

    private void requireOther(String argument, int rank) {
        requireRank(rank);
        if (rank == environment.control().rank()) {
            throw InvalidArgumentException.of(
                    argument, rank, "another rank: this rank's launches run in their order without signals");
        }
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

    @Override
    public void checkWaits(int rank) {
        requireOpen();
        requireOther("rank to wait for", rank);
        if (environment.control().endOf(rank).isSet()) {
            throw ClosedPeer.exception(rank, "rank " + rank + " in a window");
        }
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
        Optional<MsccljException> failure = together(TopicKind.CLOSE_WINDOW, ranks::requireUnused);
        closed = true;
        AutoCloseable meetings = () -> failure
                // until all ranks have ended their accesses, this rank's proxy answers gets
                .or(() -> together(TopicKind.END_WINDOW_ACCESSES, this::closeOperations))
                .or(() -> together(TopicKind.END_WINDOW_SIGNALS, lanes::stop))
                .ifPresent(e -> {
                    throw e;
                });
        Resources.close(List.of(this::free, this::closeOperations, meetings)); // in reverse order, and all of them
    }

    /**
     * Runs a step when all ranks have arrived. A rank that is lost, or has ended this communicator by an abort, no
     * longer accesses memory.
     *
     * @return why not all have arrived
     * @throws InvalidArgumentException if a rank refuses
     */
    private Optional<MsccljException> together(TopicKind kind, Runnable step) {
        if (environment.abort().isSet()) {
            return Optional.empty();
        }
        try {
            Exchange.gather(environment.control(), Topic.of(kind), () -> {
                step.run();
                return new byte[0];
            });
            return Optional.empty();
        } catch (AbortedException | RankLostException | OperationTimeoutException e) {
            return environment.abort().isSet() ? Optional.empty() : Optional.of(e);
        }
    }

    /** Ends this rank's launches, and refuses further ones. */
    void closeOperations() {
        closed = true;
        lanes.closeOperations();
        singles.forget();
    }

    boolean isFreed() {
        return freed;
    }

    /** Frees the resources. Peers must not access this rank's memory any more. */
    void free() {
        if (!freed) {
            freed = true;
            List<AutoCloseable> resources = new ArrayList<>(List.of(ranks, lanes));
            ports.ifPresent(resources::add);
            Optional.ofNullable(handle).ifPresent(resources::add);
            Resources.close(resources);
        }
    }
}

package org.mscclj.runtime.communicator;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.mscclj.api.AlgorithmRegistry;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.Capabilities;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Quorum;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Window;
import org.mscclj.api.Work;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.Selection;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.PlainText;
import org.mscclj.api.hook.CommunicatorHook;
import org.mscclj.api.hook.HookRegistration;
import org.mscclj.api.option.Timeouts;
import org.mscclj.api.option.WarmUp;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.plan.PlanRegistry;
import org.mscclj.api.tuning.TuningKey;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.channel.ChannelEnvironment;
import org.mscclj.runtime.channel.RankChannels;
import org.mscclj.runtime.collective.PartReductions;
import org.mscclj.runtime.collective.RankCollectives;
import org.mscclj.runtime.control.CallScope;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.execution.PlanExecutor;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.lane.TransferExecutor;
import org.mscclj.runtime.execution.operation.BufferHold;
import org.mscclj.runtime.execution.operation.Preparation;
import org.mscclj.runtime.execution.operation.PreparedCall;
import org.mscclj.runtime.execution.operation.SingleLaunches;
import org.mscclj.runtime.fault.CommunicatorWatch;
import org.mscclj.runtime.fault.RecordedReports;
import org.mscclj.runtime.health.FaultLog;
import org.mscclj.runtime.natives.InstalledNatives;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.selection.RegisteredAlgorithms;
import org.mscclj.runtime.time.RunningDeadline;
import org.mscclj.runtime.window.OpenWindows;
import org.mscclj.spi.engine.AbortFlag;

/** A communicator over a control plane and a device. */
public final class RuntimeCommunicator implements Communicator {
    private final CommunicatorSpec spec;
    private final ExecutionEnvironment environment;
    private final ControlPlane control;
    private final Stream stream;
    private final PlanExecutor executor;
    private final RegisteredAlgorithms registered = new RegisteredAlgorithms();
    private final RankCollectives collectives;
    private final PartReductions reductions;
    private final TransferExecutor transfers;
    private final OpenWindows windows;
    private final RankChannels channels;
    private final Successors successors;
    private final SingleLaunches singles;
    private final CommunicatorWatch watch;
    private final AutoCloseable deviceFaults;
    private AutoCloseable faults = () -> {};
    private boolean closed;

    /** Creates a communicator. The code that opened the device owns it. */
    public RuntimeCommunicator(CommunicatorSpec spec, ExecutionEnvironment withoutHints) {
        this.spec = spec;
        this.environment = withoutHints.withHints(spec.hints());
        this.control = environment.control();
        control.reportLaunches(new RecordedReports(environment.recorder()));
        this.stream = environment.device().createStream(spec.hints().streamPriority());
        this.singles = new SingleLaunches(environment);
        this.executor = new PlanExecutor(environment);
        this.collectives = new RankCollectives(environment, stream, registered, executor, () -> this);
        registered.natives().whenRemoved(collectives::release);
        InstalledNatives.register(registered.natives());
        this.reductions = new PartReductions(environment, collectives, stream);
        this.transfers = new TransferExecutor(environment);
        this.windows = new OpenWindows(environment, stream);
        this.successors = new Successors(spec, environment);
        this.channels = new RankChannels(new ChannelEnvironment(
                control, environment.device(), environment.links(), environment.abort(), environment.timeout()));
        this.watch = environment.watch(spec.identity());
        this.deviceFaults = environment.device().whenLost(watch::failed);
    }

    /**
     * Sets up what cannot be set up later, because only some ranks would know of it. Collective. Called once, before
     * the communicator is used.
     */
    public void connect() {
        transfers.connect();
        collectives.connect(transfers.reports());
        collectives.warmUp(spec.warmUp());
    }

    /**
     * Returns this communicator after {@link #connect}; closes it if that fails. Collective. An interrupt makes it fail
     * on all ranks or on none.
     */
    public RuntimeCommunicator connected() {
        new CommunicatorOpening(this, environment).connect();
        return this;
    }

    /**
     * Returns this communicator like {@link #connected()}, but waits for other ranks until a deadline, in place of the
     * timeout of each step.
     */
    RuntimeCommunicator connected(RunningDeadline limit) {
        try (CallScope _ = control.within(limit)) {
            return connected();
        }
    }

    /**
     * Starts to log the end of this communicator as a fault of the process, unless a caller requests the end. Before
     * this call, an exception reports the end to the caller that opens the communicator.
     */
    public void noteFaults() {
        faults = FaultLog.OF_PROCESS.watch(name(), rank(), environment.abort());
    }

    @Override
    public int rank() {
        return control.rank();
    }

    @Override
    public int size() {
        return control.size();
    }

    @Override
    public String name() {
        return spec.name();
    }

    @Override
    public int ranksPerNode() {
        return control.nodes().ranksPerNode();
    }

    @Override
    public Duration timeout() {
        return environment.timeout();
    }

    @Override
    public boolean isNvlsSupported() {
        return collectives.hasMulticast();
    }

    @Override
    public Capabilities capabilities() {
        return CapabilityMap.of(environment.capabilities());
    }

    @Override
    public List<Integer> worldRanks() {
        return spec.identity().worldRanks();
    }

    @Override
    public Device device() {
        return environment.device();
    }

    @Override
    public Stream stream() {
        return stream;
    }

    @Override
    public DeviceBuffer allocate(long bytes, Duration timeout) {
        requireOpen();
        Duration limit = Timeouts.of(timeout);
        try (CallScope _ = control.within(RunningDeadline.after(limit))) {
            return collectives.allocate(bytes);
        }
    }

    @Override
    public void warmUp(List<WarmUp> classes, Duration timeout) {
        requireOpen();
        List<WarmUp> given = List.copyOf(Objects.requireNonNull(classes, "classes"));
        try (CallScope _ = control.within(RunningDeadline.after(Timeouts.of(timeout)))) {
            collectives.warmUp(given);
        }
    }

    @Override
    public void register(DeviceBuffer buffer, Duration timeout) {
        requireOpen();
        Objects.requireNonNull(buffer, "buffer");
        try (CallScope _ = control.within(RunningDeadline.after(Timeouts.of(timeout)))) {
            collectives.register(buffer);
        }
    }

    @Override
    public PreparedOperation prepare(PlanCall call) {
        return prepared(call, stream);
    }

    private PreparedCall prepared(PlanCall call, Stream on) {
        requireOpen();
        Objects.requireNonNull(call, "call");
        String words = "plan " + PlainText.brief(call.plan().name()) + " of " + call.type() + ", "
                + call.op().kind().label() + ", input of "
                + call.input().byteSize() + " bytes, output of "
                + call.output().byteSize() + " bytes";
        try (CallScope _ = control.during(words, call.options().timeout())) {
            return executor.prepare(call, on);
        }
    }

    @Override
    public Work execute(PlanCall call, Stream on) {
        requireOpen();
        Objects.requireNonNull(call, "call");
        Objects.requireNonNull(on, "stream");
        executor.lookForNan(call, on);
        return singles.launch(() -> prepared(call, on));
    }

    @Override
    public Selection explain(CollectiveCall call) {
        Objects.requireNonNull(call, "call");
        requireOpen();
        return collectives.explain(call);
    }

    @Override
    public CallShape shape(CollectiveCall call) {
        Objects.requireNonNull(call, "call");
        requireOpen();
        return collectives.shape(call);
    }

    @Override
    public TuningKey tuningKey() {
        requireOpen();
        return collectives.tuningKey();
    }

    @Override
    public PreparedOperation prepare(CollectiveCall call) {
        requireOpen();
        Objects.requireNonNull(call, "call");
        return collectives.prepare(call);
    }

    @Override
    public Work execute(CollectiveCall call, Stream on) {
        requireOpen();
        Objects.requireNonNull(call, "call");
        Objects.requireNonNull(on, "stream");
        return collectives.execute(call, on);
    }

    @Override
    public PreparedOperation prepare(ReduceScatterCall call) {
        requireOpen();
        Objects.requireNonNull(call, "call");
        return reductions.prepare(call);
    }

    @Override
    public Work execute(ReduceScatterCall call, Stream on) {
        requireOpen();
        Objects.requireNonNull(call, "call");
        Objects.requireNonNull(on, "stream");
        return reductions.execute(call, on);
    }

    @Override
    public PreparedOperation prepare(BarrierCall call) {
        requireOpen();
        Objects.requireNonNull(call, "call");
        return collectives.prepare(call);
    }

    @Override
    public Work execute(BarrierCall call, Stream on) {
        requireOpen();
        Objects.requireNonNull(call, "call");
        Objects.requireNonNull(on, "stream");
        return collectives.execute(call, on);
    }

    @Override
    public PreparedOperation prepare(TransferCall call) {
        requireOpen();
        Objects.requireNonNull(call, "call");
        return transfers.prepare(call, preparationOfMessages(BufferHold.UNTIL_CLOSED, stream));
    }

    @Override
    public Work execute(TransferCall call, Stream on) {
        requireOpen();
        Objects.requireNonNull(call, "call");
        Objects.requireNonNull(on, "stream");
        transfers.lookForNan(call, on);
        Preparation preparation = preparationOfMessages(BufferHold.IN_FLIGHT, on);
        try (CallScope _ = control.during("", call.options().timeout())) {
            transfers.requireSameCall(call, preparation);
        }
        return singles.launch(() -> transfers.prepare(call, preparation));
    }

    private static Preparation preparationOfMessages(BufferHold hold, Stream on) {
        return new Preparation("point_to_point", on, hold);
    }

    @Override
    public AlgorithmRegistry algorithms() {
        return registered.natives();
    }

    @Override
    public PlanRegistry plans() {
        return registered.plans();
    }

    @Override
    public ExecutionPlan select(
            Collective collective, DeviceBuffer input, DeviceBuffer output, DataType type, ReduceOp op) {
        requireNotClosed();
        Objects.requireNonNull(collective, "collective");
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(output, "output");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(op, "op");
        long slice = input.byteSize() / collective.inputSlices(size());
        boolean inPlace = slice > 0 && environment.arguments().isInPlace(collective, input, output, slice);
        long bytes = collective == Collective.ALLGATHER ? output.byteSize() : input.byteSize();
        return registered
                .plans()
                .select(new CallShape(collective, type, op, 0, inPlace, false, size(), ranksPerNode(), bytes))
                .plan();
    }

    @Override
    public Window openWindow(DeviceBuffer memory, Duration timeout) {
        requireOpen();
        Objects.requireNonNull(memory, "memory");
        Duration limit = Timeouts.of(timeout);
        Window window;
        try (CallScope _ = control.within(RunningDeadline.after(limit))) {
            window = windows.open(memory);
        }
        environment.hooks().opened(memory.byteSize());
        return window;
    }

    @Override
    public ChannelSetup channels() {
        requireOpen();
        return channels;
    }

    @Override
    public Optional<Communicator> split(List<Integer> ranks, String childName, Duration timeout) {
        requireOpen();
        Objects.requireNonNull(childName, "name");
        List<Integer> members = List.copyOf(Objects.requireNonNull(ranks, "ranks"));
        Duration limit = Timeouts.of(timeout);
        return successors.split(() -> SplitAgreement.require(control, members), childName, limit);
    }

    @Override
    public Optional<Communicator> split(int colour, int key, String childName, Duration timeout) {
        requireOpen();
        Objects.requireNonNull(childName, "name");
        Duration limit = Timeouts.of(timeout);
        return successors.split(() -> ColourAgreement.members(control, colour, key), childName, limit);
    }

    @Override
    public Communicator shrink(List<Integer> excluded, Duration timeout) {
        requireNotClosed();
        Objects.requireNonNull(excluded, "excluded");
        return successors.shrink(excluded, RunningDeadline.after(Timeouts.of(timeout)));
    }

    @Override
    public Communicator reconfigure(Quorum quorum, Duration timeout) {
        requireNotClosed();
        Objects.requireNonNull(quorum, "quorum");
        return successors.reconfigure(quorum, Timeouts.of(timeout));
    }

    @Override
    public void barrier() {
        requireOpen();
        control.barrier(Topic.of(TopicKind.BARRIER));
    }

    @Override
    public void barrier(Duration timeout) {
        requireOpen();
        Duration limit = Timeouts.of(timeout);
        control.barrier(Topic.of(TopicKind.BARRIER), limit);
    }

    @Override
    public void requireEqual(
            String what, Supplier<byte[]> value, Function<byte[], String> describer, Duration timeout) {
        requireOpen();
        Duration limit = Timeouts.of(timeout);
        try (CallScope _ = control.during("", Optional.of(limit))) {
            requireEqual(what, value, describer);
        }
    }

    @Override
    public void requireEqual(String what, Supplier<byte[]> value, Function<byte[], String> describer) {
        requireOpen();
        Objects.requireNonNull(what, "what");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(describer, "describer");
        Exchange.requireEqual(
                control,
                Topic.named(what),
                () -> Objects.requireNonNull(value.get(), "value"),
                describer,
                different ->
                        new InvalidArgumentException(what + ": " + different + "; allowed: the same on all ranks"));
    }

    @Override
    public void abort(String reason) {
        successors.abort(Objects.requireNonNull(reason, "reason"));
    }

    @Override
    public HookRegistration addHook(CommunicatorHook hook) {
        Objects.requireNonNull(hook, "hook");
        requireNotClosed();
        return environment.hooks().add(hook);
    }

    /**
     * Sets how to find out whether other ranks have gone on without this rank in the communicator from which this one
     * was shrunk.
     */
    void wasShrunkFrom(Supplier<Optional<String>> leftBehind) {
        successors.after(leftBehind);
    }

    AbortFlag abortFlag() {
        return environment.abort();
    }

    @Override
    public boolean isAborted() {
        return environment.abort().isSet();
    }

    @Override
    public Optional<MsccljException> failure() {
        return isAborted() ? Optional.of(environment.abort().exception("communicator " + name())) : Optional.empty();
    }

    private void requireNotClosed() {
        if (closed) {
            throw new InvalidArgumentException("communicator " + name() + " is closed; open another one");
        }
    }

    private void requireOpen() {
        requireNotClosed();
        failure().ifPresent(failure -> {
            throw failure;
        });
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        environment.hooks().closing();
        singles.forget();
        AutoCloseable departure = () -> spec.lifetime()
                .closed(() -> Resources.close(
                        List.of(reductions, environment.links(), executor, collectives, transfers, windows, channels)));
        Resources.close(List.of( // last first, and all: peers wait for the departure
                deviceFaults,
                faults,
                departure,
                successors,
                environment.links()::stop,
                stream,
                watch,
                collectives::closeOperations,
                transfers::closeOperations,
                windows::closeOperations,
                executor::closeOperations));
    }
}

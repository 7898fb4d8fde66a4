package org.mscclj.gpu.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.device.kernels.plan.LaunchHeader;
import org.mscclj.device.kernels.plan.LaunchTable;
import org.mscclj.device.kernels.plan.PlanCode;
import org.mscclj.device.kernels.plan.PlanTable;
import org.mscclj.device.kernels.plan.PlanTables;
import org.mscclj.device.kernels.plan.ScaleArguments;
import org.mscclj.device.kernels.plan.StateLayout;
import org.mscclj.device.kernels.transfer.WindowStructure;
import org.mscclj.gpu.memory.DeviceStructure;
import org.mscclj.gpu.module.EarlyLaunch;
import org.mscclj.gpu.module.Kernel;
import org.mscclj.gpu.queue.AbortWord;
import org.mscclj.gpu.queue.DeferredRelease;
import org.mscclj.gpu.queue.LaunchQueue;
import org.mscclj.gpu.stream.CaptureInfo;
import org.mscclj.gpu.stream.GraphPins;
import org.mscclj.gpu.stream.ReplayOrder;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.layout.RoundLayout;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.DeviceHandle;
import org.mscclj.spi.engine.EngineContext;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.engine.PreparedLaunch;
import org.mscclj.spi.proxy.TriggerFifo;
import org.mscclj.spi.trace.ContextTrace;
import org.mscclj.spi.trace.TraceFolder;
import org.mscclj.spi.transfer.RemoteAccess;
import org.mscclj.spi.transfer.TransferSpec;
import org.mscclj.spi.transfer.WindowSpec;

/** A plan on one rank: its code and its state on the GPU. */
final class GpuPlanContext implements EngineContext, LaunchOwner {
    /** The fewest threads per block when blocks are made smaller to leave capacity for others. */
    private static final int MIN_THREADS = 128;

    /** The fewest threads of a block with little work. Fewer threads synchronise sooner. */
    static final int MIN_WORKERS = 64;

    private final ContextSpec spec;
    private final GpuPlanEngine engine;
    private final PlanCode code;
    private final StateLayout layout;
    private final DeviceBuffer state;
    private final Optional<PlanTrace> trace;
    private final AbortWord abortWord;
    private final LaunchQueue queue;
    private final BlockStates states;
    private final CapturedState capturedState;
    private final GraphPins graphs = new GraphPins();
    private final TriggerFifo[] rings;
    private final ContextKernels kernels;
    private final PlanTables planWords;
    private final boolean mayUseLines;
    private Optional<TableStore> tables = Optional.empty();
    private Optional<TableStore> planTables = Optional.empty();
    private boolean refused;
    private boolean closed;

    GpuPlanContext(ContextSpec spec, GpuPlanEngine engine) {
        this.spec = spec;
        this.engine = engine;
        Optional<ContextTrace> events =
                TraceFolder.ofProcess().map(folder -> folder.open(spec.plan().name(), spec.rank()));
        this.code = PlanCode.of(spec.plan(), events.map(trace -> trace::operation));
        this.layout = new StateLayout(spec);
        this.mayUseLines = spec.plan().protocol() == Protocol.LL128
                && EngineSwitch.LINES.isOn(engine.context().driver().traits().wholeLines());
        this.rings = spec.ports().stream().map(PortBinding::fifo).distinct().toArray(TriggerFifo[]::new);
        List<AutoCloseable> made = new ArrayList<>();
        try {
            this.state = engine.device().allocate(layout.byteSize());
            made.addFirst(state);
            this.trace = events.filter(_ -> layout.hasWork()).map(file -> new PlanTrace(engine, file, layout.blocks()));
            trace.ifPresent(made::addFirst);
            initialise();
            this.abortWord = new AbortWord(spec.rank(), spec.abort(), engine.words());
            made.addFirst(abortWord);
            this.planWords = new PlanTables(code, spec, layout, state.address(), mayUseLines, trace.isEmpty());
            this.kernels =
                    new ContextKernels(spec, engine.kernels(), code, trace.isPresent(), GpuPlanEngine.MAX_THREADS);
            this.queue = engine.queue(spec.order(), spec.abort());
            this.states = new BlockStates(state, layout);
            this.capturedState = new CapturedState(spec.abort(), abortWord, states);
            queue.requests().add(abortWord);
        } catch (RuntimeException | Error e) {
            DeferredRelease remains = new DeferredRelease(List.of());
            made.forEach(remains::add);
            try {
                remains.settle();
            } catch (RuntimeException further) {
                e.addSuppressed(further);
            }
            throw e;
        }
    }

    private void initialise() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment initial = arena.allocate(layout.byteSize(), Long.BYTES);
            layout.initialise(initial, state.address());
            trace.ifPresent(events -> events.initialise(layout, initial));
            state.copyFrom(initial);
        }
    }

    @Override
    public PreparedLaunch prepare(LaunchSpec launch) {
        return GpuLaunch.ofPlan(this, launch);
    }

    @Override
    public PreparedLaunch prepare(TransferSpec transfers) {
        return GpuLaunch.ofTransfers(this, transfers);
    }

    @Override
    public PreparedLaunch prepare(RemoteAccess access) {
        return GpuLaunch.ofAccess(this, access);
    }

    @Override
    public DeviceHandle windowHandle(WindowSpec window, List<AbortFlag> peerEnds) {
        WindowStructure structure = new WindowStructure(spec, window, layout);
        PeerWords peers = new PeerWords(spec.rank(), peerEnds, structure::signals, engine.words());
        return DeviceStructure.create(
                engine.device(),
                structure.byteSize(),
                (memory, address) -> structure.write(memory, address, state(), abortWord.address(), peers.addresses()),
                peers::close);
    }

    @Override
    public void readyForTransfers() {
        tables = Optional.of(TableStore.ofTransfers(engine.device()));
        for (int words : RoundKernel.TRANSFER_TABLES) { // no module loads while a running kernel waits for its kernel
            Kernel _ = kernels.ofTransfers(words);
        }
    }

    @Override
    public void readyForSizes(LaunchSpec launch) {
        PlanKernels ready = kernels.of(launch);
        int most = LaunchTable.maxWords(code, spec.rank());
        SizedKernels general = ready.general();
        Kernel _ = general.load(RoundKernel.inlineWords(most, RoundKernel.PLAN_TABLES));
        int ofFused = code.fused().map(fused -> fused.words(spec.rank())).orElse(0);
        if (ofFused > 0) {
            Kernel _ = ready.fused().load(RoundKernel.inlineWords(ofFused, RoundKernel.PLAN_TABLES));
            if (mayUseLines) {
                Kernel _ = ready.lines().load(RoundKernel.inlineWords(ofFused, RoundKernel.PLAN_TABLES));
            }
        }
        most = Math.max(most, ofFused);
        if (general.isOutside(most) && planTables.isEmpty()) {
            planTables = Optional.of(TableStore.ofPlan(engine.device(), (long) most * Long.BYTES));
        }
        launch.scaling().ifPresent(scaling -> {
            Kernel _ = kernels.ofScaling(scaling, true);
            Kernel _ = kernels.ofScaling(scaling, false);
        });
        ready.seal();
    }

    /** The table of a round of a launch. Fused blocks use no multicast addresses; plans of lines stay fused. */
    PlanTable table(LaunchSpec launch, RoundLayout round) {
        return planWords.of(launch, round, mayUseLines || !ContextKernels.isMulticast(launch));
    }

    /** The kernels of this context. */
    ContextKernels kernels() {
        return kernels;
    }

    /** Returns memory for a table of a launch of the plan. */
    TablePlace planTable(long bytes) {
        return planTables.map(store -> store.take(bytes)).orElseGet(() -> TablePlace.alone(engine.device(), bytes));
    }

    ContextSpec spec() {
        return spec;
    }

    @Override
    public GpuPlanEngine engine() {
        return engine;
    }

    StateLayout layout() {
        return layout;
    }

    /** Address of the state on the GPU. */
    long state() {
        return state.address();
    }

    @Override
    public LaunchQueue queue() {
        return queue;
    }

    /** The store for large tables of point-to-point transfers. */
    TableStore tables() {
        return tables.orElseThrow(
                () -> new IllegalStateException("readyForTransfers must be called before messages are prepared"));
    }

    @Override
    public void captured(CaptureInfo capture) {
        graphs.add(capture);
        engine.captured(capture);
        capturedState.captured();
        OverlapWatch.watch(capturedState);
    }

    @Override
    public void lookForAbort() {
        if (abortWord.isAsked()) {
            boolean _ = abortWord.look();
        }
    }

    @Override
    public ReplayOrder order() {
        return queue;
    }

    @Override
    public void replayed() {
        launched();
    }

    @Override
    public boolean refuseReplays(long nanos) {
        refused = refused
                || graphs.isEmpty()
                || new ReplayRefusal(queue, states, abortWord, tables.isEmpty()).within(nanos);
        return refused;
    }

    @Override
    public long atWork() {
        return graphs.isEmpty() ? 0 : capturedState.atWork();
    }

    /** Number of blocks of this rank. */
    int blocks() {
        return layout.blocks();
    }

    /** Notifies the proxies of port channels that a launch is under way. */
    @Override
    public void launched() {
        for (TriggerFifo ring : rings) {
            ring.expectPushes();
        }
    }

    /** Fills in the fields of the header that are equal in all launches. */
    void describe(LaunchHeader header) {
        layout.describe(header, state.address(), abortWord.address());
        header.running(queue.running());
    }

    /** Fills in the fields of the scaling arguments that are equal in all launches. */
    void describe(ScaleArguments arguments) {
        layout.describe(arguments, state.address(), abortWord.address());
        arguments.running(queue.running());
    }

    /** A function from an operation's name to its number in the trace; empty if tracing is off. */
    Optional<ToIntFunction<String>> tracing() {
        return trace.map(events -> events::operation);
    }

    /**
     * Reserves capacity on the GPU for all blocks at once.
     *
     * @param blocks number of blocks
     * @param mostThreads the most threads per block that the plan requests
     * @param mostUnits the most threads of a block that can have work at once
     * @param alone whether other ranks do not know of the launch, so that a small number of threads is better than a
     *     failure on this rank
     * @return threads per block: the number that the plan requests, or fewer where there is less work, or where fewer
     *     threads fit; whole warps, as lines of packets need them, if the plan requests a warp or more
     */
    int reserve(Kernel kernel, int blocks, int mostThreads, long mostUnits, boolean alone) {
        int warp = engine.context().warpSize();
        int most = wholeWarps(Math.min(Math.min(mostThreads, GpuPlanEngine.MAX_THREADS), kernel.maxThreads()), warp);
        int units = (int) Math.min(mostUnits, most); // before it is rounded up, which may overflow
        int wanted = Math.min(most, Math.max(MIN_WORKERS, Math.ceilDiv(units, warp) * warp));
        int least = Math.min(wanted, alone ? MIN_WORKERS : MIN_THREADS);
        for (int threads = wanted; threads >= least; threads = wholeWarps(threads / 2, warp)) {
            int perMultiprocessor = kernel.blocksPerMultiprocessor(threads);
            boolean last = wholeWarps(threads / 2, warp) < least;
            if ((last || queue.isShare(blocks, perMultiprocessor)) && queue.reserve(blocks, perMultiprocessor)) {
                return threads;
            }
        }
        throw new UnsupportedException(
                "plan " + spec.plan().label() + ", rank " + spec.rank() + ": no capacity for its "
                        + blocks + " blocks on GPU " + engine.context().ordinal()
                        + ", of which a multiprocessor holds "
                        + kernel.blocksPerMultiprocessor(least) + " with " + least
                        + " threads each: " + queue.reserved()
                        + ", and all must run at once, or they wait for ever; close communicators, or use plans"
                        + " of fewer blocks");
    }

    private static int wholeWarps(int threads, int warp) {
        return threads < warp ? threads : threads / warp * warp;
    }

    /**
     * Returns the early launches of a kernel for which capacity is reserved, with capacity for two of them at once;
     * empty if the GPU has none, if they are switched off, or if too little capacity is left for others.
     */
    Optional<EarlyLaunch> earlyLaunch(int blocks, int threads) {
        return EngineSwitch.EARLY_LAUNCHES.isOn(true) && queue.extendReservation(2 * blocks)
                ? EarlyLaunch.of(engine.context(), blocks, threads)
                : Optional.empty();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            capturedState.close();
            trace.ifPresent(PlanTrace::write);
            DeferredRelease remains = new DeferredRelease(graphs.alive());
            queue.requests().remove(abortWord);
            engine.giveBack(queue, remains);
            abortWord.close();
            remains.add(state);
            trace.ifPresent(remains::add);
            tables.ifPresent(remains::add);
            planTables.ifPresent(remains::add);
            remains.settle();
        }
    }
}

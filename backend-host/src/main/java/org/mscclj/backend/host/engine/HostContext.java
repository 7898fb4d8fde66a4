package org.mscclj.backend.host.engine;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.host.schedule.HostScheduler;
import org.mscclj.backend.host.step.HostStep;
import org.mscclj.backend.host.step.TracedStep;
import org.mscclj.backend.host.step.sync.RankBarrier;
import org.mscclj.backend.host.step.sync.Semaphores;
import org.mscclj.backend.host.step.sync.SignalCounts;
import org.mscclj.backend.host.transfer.AccessStep;
import org.mscclj.backend.host.transfer.HostLanes;
import org.mscclj.backend.host.transfer.TransferSteps;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.RankPlan;
import org.mscclj.posix.NativeMemory;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.EngineContext;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PreparedLaunch;
import org.mscclj.spi.trace.ContextTrace;
import org.mscclj.spi.trace.TraceFolder;
import org.mscclj.spi.transfer.RemoteAccess;
import org.mscclj.spi.transfer.TransferLanes;
import org.mscclj.spi.transfer.TransferSpec;

/**
 * The state of a plan on one rank that persists across launches: the packet flag, counts of signals, barriers,
 * semaphores.
 *
 * <p>Only the running launch writes it, and launches are ordered.
 */
final class HostContext implements EngineContext {
    private final ContextSpec spec;
    private final HostScheduler scheduler;
    private final RankPlan rankPlan;
    private final ContextLayout layout;
    private final SignalCounts memorySent;
    private final SignalCounts memoryAwaited;
    private final SignalCounts portAwaited;
    private final Semaphores semaphores;
    private final Map<Integer, RankBarrier> barriers = new TreeMap<>();
    private final FlagWrapBarrier wrap;
    private final Optional<ContextTrace> trace;
    private final ReplayGate replays = new ReplayGate();
    private final Map<CompiledPlan.Key, CompiledPlan> plans = new ConcurrentHashMap<>();
    private int nextFlag;
    private boolean flagsWrapped;
    private @Nullable HostLanes lanes;
    private long rounds;
    private long launches;

    HostContext(ContextSpec spec, HostScheduler scheduler) {
        this.spec = spec;
        this.scheduler = scheduler;
        this.rankPlan = spec.plan().ranks().get(spec.rank());
        this.layout = layoutOf(spec.rank());
        this.memorySent = counts(ChannelType.MEMORY, layout.memoryCounters());
        this.memoryAwaited = counts(ChannelType.MEMORY, layout.memoryCounters());
        this.portAwaited = counts(ChannelType.PORT, layout.portCounters());
        this.semaphores = new Semaphores(rankPlan.semaphoreInitialValues());
        this.nextFlag = spec.firstFlag();
        this.wrap = new FlagWrapBarrier(spec);
        this.trace =
                TraceFolder.ofProcess().map(folder -> folder.open(spec.plan().name(), spec.rank()));
        rankPlan.threadBlocks().forEach(block -> addBarriers(block.operations()));
    }

    private SignalCounts counts(ChannelType type, int channels) {
        return new SignalCounts(
                channels,
                rankPlan.threadBlocks().stream()
                        .map(block -> block.channels(type))
                        .toList());
    }

    private void addBarriers(List<Operation> operations) {
        for (Operation operation : operations) {
            if (operation instanceof Operation.Barrier barrier) {
                barriers.putIfAbsent(barrier.id(), new RankBarrier(barrier.threadBlocks()));
            } else if (operation instanceof Operation.Pipeline pipeline) {
                addBarriers(pipeline.operations());
            }
        }
    }

    @Override
    public PreparedLaunch prepare(LaunchSpec launch) {
        return new HostLaunch(this, new PlanProgram(this, compiled(launch), launch));
    }

    private CompiledPlan compiled(LaunchSpec launch) {
        return plans.computeIfAbsent(
                new CompiledPlan.Key(launch.type(), launch.op().kind()), key -> new CompiledPlan(this, key));
    }

    @Override
    public PreparedLaunch prepare(TransferSpec transfers) {
        TransferSteps steps = new TransferSteps(lanes(transfers.lanes()), transfers, trace);
        return new HostLaunch(this, new TransferProgram(steps, !transfers.ofAllRanks()));
    }

    @Override
    public PreparedLaunch prepare(RemoteAccess access) {
        AccessStep step = AccessStep.of(lanes(access.lanes()), access);
        HostStep carriedOut = trace.<HostStep>map(events -> TracedStep.of(step, events, 0, access.label()))
                .orElse(step);
        return new HostLaunch(this, new AccessProgram(step, carriedOut));
    }

    private HostLanes lanes(TransferLanes of) {
        HostLanes known = lanes;
        if (known == null) {
            known = new HostLanes(spec, of);
            lanes = known;
        }
        return known;
    }

    @Override
    public boolean refuseReplays(long nanos) {
        return replays.refuse(nanos);
    }

    /** Replays of graphs with launches of this context. */
    ReplayGate replays() {
        return replays;
    }

    /** The trace of the blocks; empty if tracing is off. */
    Optional<ContextTrace> trace() {
        return trace;
    }

    /**
     * Writes the trace, if there is one, and frees the memory of steps; other memory and connections belong to the
     * runtime.
     */
    @Override
    public void close() {
        plans.values().forEach(CompiledPlan::close);
        trace.ifPresent(ContextTrace::close);
    }

    ContextSpec spec() {
        return spec;
    }

    HostScheduler scheduler() {
        return scheduler;
    }

    RankPlan rankPlan() {
        return rankPlan;
    }

    ContextLayout layout() {
        return layout;
    }

    /** The layout of a rank's memory. */
    ContextLayout layoutOf(int rank) {
        return ContextLayout.of(spec.plan(), spec.memoryPairing(), spec.portPairing(), rank, spec.slotBytes());
    }

    /** Counts of signals sent on memory channels. */
    SignalCounts memorySent() {
        return memorySent;
    }

    /** Counts of signals waited for on channels of a type. */
    SignalCounts awaited(ChannelType type) {
        return type == ChannelType.PORT ? portAwaited : memoryAwaited;
    }

    Semaphores semaphores() {
        return semaphores;
    }

    RankBarrier barrier(int id) {
        RankBarrier barrier = barriers.get(id);
        if (barrier == null) {
            throw new UnsupportedException("plan " + spec.plan().label() + ", rank " + spec.rank() + ": barrier " + id
                    + " is not used by any block");
        }
        return barrier;
    }

    FlagWrapBarrier wrap() {
        return wrap;
    }

    /** Takes the next flag, for the round that starts now: flags count from 1, skip 0, and wrap. */
    int takeFlag() {
        int flag = nextFlag;
        flagsWrapped = flag == 1 && rounds > 0;
        nextFlag = flag == -1 ? 1 : flag + 1;
        rounds++;
        return flag;
    }

    /** Whether the flag taken last is the first after the flags have wrapped. */
    boolean flagsWrapped() {
        return flagsWrapped;
    }

    /** Publishes that a launch has started, from which peers find the missing ranks. */
    void publishStarted() {
        NativeMemory.setLongRelease(spec.counters().address() + ContextLayout.STARTED, ++launches);
    }

    /** Publishes that a launch has ended. */
    void publishFinished() {
        NativeMemory.setLongRelease(spec.counters().address() + ContextLayout.FINISHED, launches);
    }

    /** Address of this rank's scratch. */
    long scratch() {
        return spec.scratch().address();
    }

    /** Address of a rank's scratch. */
    OptionalLong scratch(int rank) {
        return rank == spec.rank()
                ? OptionalLong.of(scratch())
                : spec.peers().get(rank).scratch();
    }

    /** Address of a rank's counters. */
    OptionalLong counters(int rank) {
        return rank == spec.rank()
                ? OptionalLong.of(spec.counters().address())
                : spec.peers().get(rank).counters();
    }
}

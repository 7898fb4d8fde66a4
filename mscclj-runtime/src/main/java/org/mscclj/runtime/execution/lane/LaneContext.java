package org.mscclj.runtime.execution.lane;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.execution.context.ContextSetUp;
import org.mscclj.runtime.execution.context.PeerReports;
import org.mscclj.runtime.execution.context.PlanContext;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.operation.OpenOperations;
import org.mscclj.runtime.execution.operation.Preparation;
import org.mscclj.runtime.execution.operation.PreparedCall;
import org.mscclj.runtime.execution.operation.RecordedAs;
import org.mscclj.runtime.execution.plan.SharedPlans;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.DeviceHandle;
import org.mscclj.spi.engine.EngineContext;
import org.mscclj.spi.engine.PreparedLaunch;
import org.mscclj.spi.transfer.RemoteAccess;
import org.mscclj.spi.transfer.TransferLanes;
import org.mscclj.spi.transfer.TransferSpec;
import org.mscclj.spi.transfer.WindowSpec;

/**
 * Lanes between all ranks, set up, and the operations on them. A rank prepares and launches these operations without
 * the other ranks.
 */
public final class LaneContext implements AutoCloseable {
    private final ExecutionEnvironment environment;
    private final TransferLanes lanes;
    private final Plan plan;
    private final PlanContext context;
    private final PeerReports reports;
    private final OpenOperations open = new OpenOperations();

    private LaneContext(ExecutionEnvironment environment, TransferLanes lanes, Plan plan, ContextSetUp.Opened opened) {
        this.environment = environment;
        this.lanes = lanes;
        this.plan = plan;
        this.context = opened.context();
        this.reports = opened.reports();
    }

    /** Sets lanes up. Collective. */
    public static LaneContext open(TransferLanes lanes, ExecutionEnvironment environment) {
        List<AutoCloseable> resources = new ArrayList<>();
        try {
            return open(lanes, environment, resources);
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(resources, e);
            throw e;
        }
    }

    /**
     * Sets lanes up. Collective.
     *
     * @param resources an empty list. If this method fails, it contains what the caller must close, and what peers may
     *     be about to map; otherwise the lanes close its elements
     */
    static LaneContext open(TransferLanes lanes, ExecutionEnvironment environment, List<AutoCloseable> resources) {
        Plan plan = SharedPlans.of(lanes);
        ContextSetUp.Opened opened = new ContextSetUp(plan, lanes.slotBytes(), environment, resources)
                .openTogether(EngineContext::readyForTransfers);
        opened.context().launchAlone();
        return new LaneContext(environment, lanes, plan, opened);
    }

    /** Returns what the ranks can do together. */
    PeerReports reports() {
        return reports;
    }

    /** Returns the lanes. */
    public TransferLanes lanes() {
        return lanes;
    }

    /**
     * Lets ranks on other nodes access memory through these lanes, which must be the lanes of
     * {@link org.mscclj.spi.transfer.TransferPreference#accesses}. Collective.
     *
     * @param memory memory of this rank; must be closed later than the result
     * @return ports by which this rank accesses the memory of other ranks; must be closed before the lanes
     */
    public WindowPorts share(DeviceBuffer memory) {
        return WindowPorts.open(environment, lanes, plan, context, memory);
    }

    /**
     * Prepares a launch of a batch of transfers, copies and signals.
     *
     * @param buffers buffers that the launch uses
     * @param words object whose string names the launch
     */
    public PreparedCall prepare(
            TransferSpec spec,
            List<DeviceBuffer> buffers,
            Preparation preparation,
            OperationDescription description,
            Object words) {
        return prepare(
                () -> context.engine().prepare(spec),
                new RecordedAs(() -> description, words, Optional.of(spec.transfers()), spec.ofAllRanks()),
                buffers,
                preparation);
    }

    /** Prepares a launch that accesses memory on another node; see the other {@code prepare}. */
    public PreparedCall prepare(
            RemoteAccess access,
            List<DeviceBuffer> buffers,
            Preparation preparation,
            OperationDescription description,
            Object words) {
        return prepare(
                () -> context.engine().prepare(access),
                new RecordedAs(() -> description, words, Optional.empty(), false),
                buffers,
                preparation);
    }

    private PreparedCall prepare(
            Supplier<PreparedLaunch> launching, RecordedAs what, List<DeviceBuffer> buffers, Preparation preparation) {
        open.freeForgotten();
        List<AutoCloseable> retained = new ArrayList<>();
        List<AutoCloseable> resources = new ArrayList<>();
        try {
            OpenOperations.retain(environment.device(), buffers, retained);
            PreparedLaunch launch = launching.get();
            resources.add(launch);
            PreparedCall prepared = new PreparedCall(preparation, environment, context, launch, what, resources);
            open.add(prepared, context, resources);
            OpenOperations.handOver(prepared, preparation.hold(), buffers, retained);
            return prepared;
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(resources, e);
            Resources.closeSuppressing(retained, e);
            throw e;
        }
    }

    /** Returns a handle by which kernels of users access a window. The handle must be closed before this context. */
    public DeviceHandle windowHandle(List<Long> addresses, List<Long> sizes) {
        ControlPlane control = environment.control();
        List<AbortFlag> peerEnds = IntStream.range(0, sizes.size())
                .mapToObj(rank -> rank == control.rank() ? environment.abort() : control.endOf(rank))
                .toList();
        return context.engine().windowHandle(new WindowSpec(lanes, addresses, sizes), peerEnds);
    }

    /**
     * Closes the operations that are still open, or that graphs keep. Waits for their launches on all streams. Replays
     * fail from now on.
     */
    public void closeOperations() {
        open.closeAll();
    }

    /**
     * Waits until port channels have carried out all pushed triggers, and ends them. All ranks must call this before
     * any rank closes.
     */
    public void stop() {
        context.stop();
    }

    /** Frees the lanes. Every rank's launches must have ended. */
    @Override
    public void close() {
        context.close();
    }
}

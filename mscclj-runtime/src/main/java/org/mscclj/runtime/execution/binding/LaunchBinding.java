package org.mscclj.runtime.execution.binding;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.event.EventRecorder;
import org.mscclj.runtime.event.PlanPhase;
import org.mscclj.runtime.execution.context.PlanContext;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.operation.OpenOperations;
import org.mscclj.runtime.execution.operation.Preparation;
import org.mscclj.runtime.execution.operation.PreparedCall;
import org.mscclj.runtime.execution.operation.RecordedAs;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PeerBuffers;
import org.mscclj.spi.engine.PortBuffers;
import org.mscclj.spi.engine.PreparedLaunch;

/**
 * Binds plans to the buffers of calls.
 *
 * @param open keeps the bound operations
 */
public record LaunchBinding(ExecutionEnvironment environment, OpenOperations open) {
    /**
     * Returns a launch of a plan.
     *
     * @param peers the buffers of each rank, by rank; the element of this rank is ignored
     * @param ports the buffers, by port channel
     * @param multicasts the multicast addresses, by switch channel
     */
    public LaunchSpec spec(
            Plan plan,
            PlanCall call,
            PlanWorkload workload,
            PlanContext context,
            List<PeerBuffers> peers,
            List<PortBuffers> ports,
            List<OptionalLong> multicasts) {
        return new LaunchSpec(
                workload.input(),
                workload.output(),
                workload.type(),
                workload.op(),
                workload.scaling(),
                call.packetType(),
                context.geometry(plan, workload.sliceBytes()),
                withOwn(peers, workload),
                ports,
                multicasts);
    }

    /**
     * Binds a plan to a launch. Not collective.
     *
     * @param slice bytes of a slice of the caller's buffers
     * @param resources receives what the operation holds
     */
    public PreparedCall bind(
            Plan plan,
            PlanCall call,
            long slice,
            LaunchSpec spec,
            PlanContext context,
            Preparation preparation,
            List<AutoCloseable> resources) {
        PreparedLaunch launch = EventRecorder.plan(
                plan.name(),
                environment.control().rank(),
                PlanPhase.COMPILE,
                () -> context.engine().prepare(spec));
        resources.add(launch);
        RecordedAs what = RecordedAs.of(() -> OperationWords.of(plan, call, preparation, slice));
        PreparedCall prepared = new PreparedCall(preparation, environment, context, launch, what, resources);
        open.add(prepared, context, resources);
        return prepared;
    }

    private List<PeerBuffers> withOwn(List<PeerBuffers> peers, PlanWorkload workload) {
        PeerBuffers[] buffers = peers.toArray(PeerBuffers[]::new);
        buffers[environment.control().rank()] = new PeerBuffers(
                OptionalLong.of(workload.input().address()),
                OptionalLong.of(workload.output().address()));
        return List.of(buffers);
    }

    /**
     * Maps the buffers of peers that share memory with this rank.
     *
     * @param ranks the description of each rank
     * @param resources receives the mappings
     * @return the addresses, by rank; none for this rank
     */
    public static List<PeerBuffers> map(
            ExecutionEnvironment environment, List<CallAgreement> ranks, List<AutoCloseable> resources) {
        List<PeerBuffers> buffers = new ArrayList<>(ranks.size());
        for (int rank = 0; rank < ranks.size(); rank++) {
            buffers.add(
                    rank == environment.control().rank()
                            ? PeerBuffers.UNMAPPED
                            : new PeerBuffers(
                                    map(environment, rank, ranks.get(rank).input(), resources),
                                    map(environment, rank, ranks.get(rank).output(), resources)));
        }
        return List.copyOf(buffers);
    }

    private static OptionalLong map(
            ExecutionEnvironment environment, int rank, Optional<MemoryHandle> handle, List<AutoCloseable> resources) {
        ControlPlane control = environment.control();
        if (handle.isEmpty()
                || !control.nodes().share(control.rank(), rank)
                || !environment.device().canMap(handle.get())) {
            return OptionalLong.empty();
        }
        MappedMemory mapped = environment.device().map(handle.get());
        resources.add(mapped);
        return OptionalLong.of(mapped.address());
    }
}

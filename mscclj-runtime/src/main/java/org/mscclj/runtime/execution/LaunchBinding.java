package org.mscclj.runtime.execution;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.plan.Plan;
import org.mscclj.plan.layout.LaunchGeometry;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.event.Events;
import org.mscclj.runtime.event.PlanPhase;
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
record LaunchBinding(ExecutionEnvironment environment, OpenOperations open) {
    /**
     * Binds a plan. Not collective.
     *
     * @param slice bytes of a slice of the caller's buffers
     * @param ranks how to map the buffers of each rank
     * @param ports the memory ids of the buffers, by port channel
     * @param resources receives what the operation holds
     */
    PreparedPlan bind(
            Plan plan,
            PlanCall call,
            long slice,
            PlanWorkload workload,
            PlanContext context,
            List<CallAgreement> ranks,
            List<PortBuffers> ports,
            Preparation preparation,
            List<AutoCloseable> resources) {
        LaunchSpec spec = new LaunchSpec(
                workload.input(),
                workload.output(),
                workload.type(),
                workload.op(),
                workload.scaling(),
                call.packetType(),
                LaunchGeometry.of(plan, workload.sliceBytes(), context.slotBytes()),
                buffers(workload, ranks, resources),
                ports,
                Collections.nCopies(
                        plan.ranks()
                                .get(environment.control().rank())
                                .switchGroups()
                                .size(),
                        OptionalLong.empty()));
        PreparedLaunch launch = Events.plan(
                plan.name(),
                environment.control().rank(),
                PlanPhase.COMPILE,
                () -> context.engine().prepare(spec));
        resources.add(launch);
        PreparedPlan prepared = new PreparedPlan(plan, preparation, environment, context, launch, resources);
        prepared.describe(OperationWords.of(plan, call, preparation, slice));
        open.add(prepared, context, resources);
        return prepared;
    }

    private List<PeerBuffers> buffers(PlanWorkload workload, List<CallAgreement> ranks, List<AutoCloseable> resources) {
        List<PeerBuffers> buffers = new ArrayList<>();
        for (int rank = 0; rank < ranks.size(); rank++) {
            buffers.add(
                    rank == environment.control().rank()
                            ? new PeerBuffers(
                                    OptionalLong.of(workload.input().address()),
                                    OptionalLong.of(workload.output().address()))
                            : new PeerBuffers(
                                    map(rank, ranks.get(rank).input(), resources),
                                    map(rank, ranks.get(rank).output(), resources)));
        }
        return buffers;
    }

    private OptionalLong map(int rank, Optional<MemoryHandle> handle, List<AutoCloseable> resources) {
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

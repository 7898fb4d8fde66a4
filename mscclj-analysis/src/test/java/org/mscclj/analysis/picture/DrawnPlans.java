package org.mscclj.analysis.picture;

import java.util.List;
import org.mscclj.analysis.simulate.SimulationOptions;
import org.mscclj.analysis.simulate.Simulator;
import org.mscclj.analysis.simulate.timeline.Dependency;
import org.mscclj.analysis.simulate.timeline.LinkUse;
import org.mscclj.analysis.simulate.timeline.Span;
import org.mscclj.analysis.simulate.timeline.Timeline;
import org.mscclj.analysis.simulate.topology.Presets;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.sketch.BlockSketch;
import org.mscclj.plan.sketch.PlanSketch;

/** Plans and timelines to draw. */
final class DrawnPlans {
    private DrawnPlans() {}

    /** The timeline of a message of 64 KiB on eight GPUs. */
    static Timeline simulated(Plan plan) {
        return Simulator.simulate(
                        plan,
                        Presets.find(plan.worldSize() > 8 ? "h200x8-nodes:8" : "h200x8")
                                .orElseThrow(),
                        1 << 16,
                        SimulationOptions.DEFAULT)
                .round();
    }

    /**
     * Rank 0 puts a chunk to rank 1 through a port channel and a proxy, and signals; rank 1 waits. The plan has the
     * given name.
     */
    static Plan put(String name) {
        PlanSketch sketch = new PlanSketch(name, Collective.TEST, Protocol.SIMPLE, false, 2);
        BlockSketch sender = sketch.block(0);
        BlockSketch receiver = sketch.block(1);
        sender.port(
                        DataKind.PUT,
                        1,
                        List.of(new ChunkRef.Local(BufferType.INPUT, 0, 1)),
                        List.of(sender.of(1, BufferType.OUTPUT, ChannelType.PORT, 0, 1)))
                .signal(ChannelType.PORT, 1)
                .flush(1);
        receiver.await(ChannelType.PORT, 0).nop();
        return sketch.build();
    }

    /** The timeline of {@link #put}, with recognisable times. */
    static Timeline putTimeline() {
        return new Timeline(
                List.of(
                        span(0, 0, false, 1000, 1000, 1050, 0),
                        span(0, 1, false, 1050, 1050, 1100, 0),
                        span(0, 2, false, 1100, 3000, 3010, 0),
                        span(1, 0, false, 1000, 3500, 3600, 0),
                        span(1, 1, false, 3600, 3600, 3620, 0),
                        span(0, 0, true, 1200, 1200, 3000, 4096),
                        span(0, 1, true, 3000, 3000, 3500, 0)),
                List.of(
                        new Dependency(0, 5, Dependency.Kind.PROXY),
                        new Dependency(1, 6, Dependency.Kind.PROXY),
                        new Dependency(5, 2, Dependency.Kind.PROXY),
                        new Dependency(6, 3, Dependency.Kind.SIGNAL)),
                List.of(new LinkUse("rank 0 out", 50, 4096, 81.92)),
                List.of(0, 5, 6, 3, 4),
                3620,
                7);
    }

    private static Span span(
            int rank, int position, boolean proxy, double start, double ready, double end, long bytes) {
        return new Span(OperationAddress.of(rank, 0, position), 0, proxy, start, ready, end, bytes);
    }

    /** One rank that copies in a pipeline, several iterations for a message of 64 KiB. */
    static Plan pipeline() {
        PlanSketch sketch = new PlanSketch("pipeline", Collective.TEST, Protocol.SIMPLE, false, 1);
        Operation copy = new PlanSketch("inner", Collective.TEST, Protocol.SIMPLE, false, 1)
                .block(0)
                .local(
                        DataKind.COPY,
                        List.of(new ChunkRef.Local(BufferType.INPUT, 0, 1)),
                        List.of(new ChunkRef.Local(BufferType.OUTPUT, 0, 1)))
                .build()
                .operations()
                .getFirst();
        sketch.block(0).nop().add(new Operation.Pipeline(1 << 14, 1, List.of(copy, new Operation.Nop())));
        return sketch.build();
    }
}

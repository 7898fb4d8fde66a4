package org.mscclj.analysis.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.analysis.simulate.timeline.Timeline;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.sketch.PlanSketch;

/** The number of kept spans is bounded for any plan, and times do not depend on it. */
class KeptSpansTest {
    private static final SimulationOptions FEW = SimulationOptions.DEFAULT.withMaxSpans(1000);

    /** One operation in a pipeline of the smallest unit. */
    private static Plan pipeline() {
        PlanSketch plan = new PlanSketch("pipeline", Collective.TEST, Protocol.SIMPLE, false, 1).chunks(1, 1, 0);
        Operation copy = new Operation.Data(
                DataKind.COPY,
                Optional.empty(),
                List.of(),
                List.of(new ChunkRef.Local(BufferType.INPUT, 0, 1)),
                List.of(new ChunkRef.Local(BufferType.OUTPUT, 0, 1)),
                BlockShare.WHOLE,
                Optional.empty());
        plan.block(0).add(new Operation.Pipeline(Operation.Pipeline.UNIT, 1, List.of(copy)));
        return plan.build();
    }

    private static Timeline simulate(long bytes, SimulationOptions options) {
        return Simulator.simulate(pipeline(), TestTopologies.linkBound(1, 1), bytes, options)
                .round();
    }

    @Test
    void spansUpToTheLimitAreKept() {
        Timeline timeline = simulate(1000 * Operation.Pipeline.UNIT, FEW);
        assertEquals(1000, timeline.spans().size());
        assertEquals(1000, timeline.operations());
        assertFalse(timeline.criticalPath().isEmpty());
    }

    @Test
    void noSpansAreKeptBeyondTheLimit() {
        Timeline timeline = simulate(1001 * Operation.Pipeline.UNIT, FEW);
        assertEquals(List.of(), timeline.spans());
        assertEquals(List.of(), timeline.criticalPath());
        assertEquals(1001, timeline.operations());
        Timeline unbounded = simulate(1001 * Operation.Pipeline.UNIT, SimulationOptions.DEFAULT);
        assertEquals(unbounded.nanos(), timeline.nanos());
        assertEquals(unbounded.links(), timeline.links());
    }

    @Test
    void dependenciesAreBoundedToo() {
        Plan plan =
                ShippedProgram.PORT.plan(ProgramSpec.of(Collective.ALLREDUCE, 4).inPlace(true));
        SimulationOptions options = SimulationOptions.DEFAULT;
        Timeline all = Simulator.simulate(plan, TestTopologies.linkBound(1, 4), 1 << 20, options)
                .round();
        int spans = all.spans().size();
        Timeline exact = Simulator.simulate(plan, TestTopologies.linkBound(1, 4), 1 << 20, options.withMaxSpans(spans))
                .round();
        assertEquals(all, exact);
        Timeline none = Simulator.simulate(
                        plan, TestTopologies.linkBound(1, 4), 1 << 20, options.withMaxSpans(spans - 1))
                .round();
        assertTrue(none.spans().isEmpty() && none.dependencies().isEmpty());
        assertEquals(all.nanos(), none.nanos());
    }

    /** The greatest initial value of a semaphore takes no memory. */
    @Test
    void aSemaphoreMayBeginWithAnyValue() {
        Plan plan = SemaphorePlans.handOver(
                new PlanSketch("test", Collective.TEST, Protocol.SIMPLE, false, 1)
                        .chunks(1, 1, 0)
                        .build(),
                Integer.MAX_VALUE);
        Prediction prediction =
                Simulator.simulate(plan, TestTopologies.linkBound(1, 1), 1024, SimulationOptions.DEFAULT);
        assertEquals(
                TestTopologies.LAUNCH + TestTopologies.NOP + TestTopologies.SEMAPHORE,
                prediction.nanos(),
                0.01,
                "no block waits");
    }
}

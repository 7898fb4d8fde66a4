package org.mscclj.analysis.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mscclj.plan.ChannelType.MEMORY;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.analysis.simulate.topology.Topology;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.sketch.PlanSketch;

/** Deadlocks, and plans that do not fit the topology, are refused with a reason. */
class DeadlockedPlansTest {
    private static final Topology TOPOLOGY = TestTopologies.linkBound(2, 2);

    private static String refusal(Class<? extends MsccljException> type, Plan plan) {
        return String.valueOf(
                assertThrows(type, () -> Simulator.simulate(plan, TOPOLOGY, 1024, SimulationOptions.DEFAULT))
                        .getMessage());
    }

    private static PlanSketch sketch(Protocol protocol) {
        return new PlanSketch("stuck", Collective.TEST, protocol, false, 2).chunks(1, 1, 1);
    }

    @Test
    void missingSignalIsNamed() {
        PlanSketch plan = sketch(Protocol.SIMPLE);
        plan.block(0).signal(MEMORY, 1);
        plan.block(1).await(MEMORY, 0).await(MEMORY, 0);
        String message = refusal(InvalidArgumentException.class, plan.build());
        assertTrue(message.contains("plan stuck deadlocks: rank 1, block 0, op 1"), message);
        assertTrue(
                message.contains("waits for signal 2 of rank 0 on memory channel #0, on which 1 have arrived"),
                message);
    }

    @Test
    void missingPacketsAreNamed() {
        PlanSketch plan = sketch(Protocol.LL);
        plan.block(0);
        plan.block(1)
                .local(
                        DataKind.UNPACK_PACKETS,
                        List.of(new ChunkRef.Local(BufferType.SCRATCH, 0, 1)),
                        List.of(new ChunkRef.Local(BufferType.OUTPUT, 0, 1)));
        String message = refusal(InvalidArgumentException.class, plan.build());
        assertTrue(message.contains("waits for packets in its scratch, of which 1024 bytes are missing"), message);
    }

    @Test
    void incompleteBarrierIsNamed() {
        PlanSketch plan = sketch(Protocol.SIMPLE);
        plan.block(0).add(new Operation.Barrier(3, 2));
        plan.block(1);
        String message = refusal(InvalidArgumentException.class, plan.build());
        assertTrue(message.contains("waits at barrier 3, at which 1 of 2 blocks have arrived"), message);
    }

    @Test
    void memoryOfAnotherNodeIsRefused() {
        Plan plan = ShippedProgram.DIRECT.plan(
                ProgramSpec.of(Collective.ALLREDUCE, 4).inPlace(true));
        String message = refusal(UnsupportedException.class, plan);
        assertTrue(message.contains("on nodes 0 and 1, which only port channels join"), message);
    }

    @Test
    void tooManyRanksAreRefused() {
        Plan plan =
                ShippedProgram.PORT.plan(ProgramSpec.of(Collective.ALLREDUCE, 5).inPlace(true));
        String message = refusal(InvalidArgumentException.class, plan);
        assertTrue(message.startsWith("there are 5 ranks; topology test has 4 (2 nodes of 2)"), message);
    }

    @Test
    void emptyMessageTakesNoTime() {
        Plan plan =
                ShippedProgram.PORT.plan(ProgramSpec.of(Collective.ALLREDUCE, 4).inPlace(true));
        Prediction prediction = Simulator.simulate(plan, TOPOLOGY, 0, SimulationOptions.DEFAULT);
        assertEquals(0, prediction.rounds());
        assertEquals(0, prediction.nanos());
    }
}

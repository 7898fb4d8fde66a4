package org.mscclj.plan.validation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.plan.pairing.SwitchPairing;
import org.mscclj.plan.sketch.PlanSketch;

/**
 * Faults that only programs can cause, or only all blocks and ranks together show; for files see the reader's tests.
 */
class PlanValidatorTest {
    private static final Operation BARRIER = new Operation.Barrier(0, 2);

    private final PlanSketch sketch = new PlanSketch("sketch", Collective.TEST, Protocol.SIMPLE, false, 2);

    @Test
    void namesPlanAndPlace() {
        sketch.block(1).add(new Operation.SemaphoreAcquire(List.of(0)));
        assertEquals(
                "plan sketch: rank 1, block 0, op 0 (sem_acquire): semaphore_ids[0] is 0; allowed: none, since there"
                        + " are no semaphores of the rank",
                refusal());
    }

    @Test
    void refusesABarrierThatSomeBlockReachesMoreOften() {
        sketch.block(0).add(BARRIER).add(BARRIER);
        sketch.block(0).add(BARRIER);
        assertTrue(refusal().contains("barrier 0 is reached 2 times by block 0, and 1 times by block 1"));
    }

    @Test
    void refusesABarrierThatTooFewBlocksUse() {
        sketch.block(0).add(BARRIER).add(BARRIER);
        assertTrue(refusal().contains("op 0 (barrier): num_threadblocks is 2; allowed: 1 to 1"));
    }

    @Test
    void refusesBarriersOfDifferentSizes() {
        sketch.block(0).add(BARRIER);
        sketch.block(0).add(new Operation.Barrier(0, 3));
        assertTrue(refusal().contains("num_threadblocks is 3; allowed: 2, as in the first use of barrier 0"));
    }

    @Test
    void allowsDifferentBlocksToReuseABarrier() {
        for (int block = 0; block < 4; block++) {
            sketch.block(0).add(BARRIER);
        }
        PlanValidator.validate(sketch.build());
    }

    @Test
    void leavesBarriersInPipelinesToTheVerifier() {
        sketch.block(0).add(new Operation.Pipeline(16, 1, List.of(BARRIER)));
        sketch.block(0).add(BARRIER).add(BARRIER);
        PlanValidator.validate(sketch.build());
    }

    @Test
    void refusesNestedPipelines() {
        Operation inner = new Operation.Pipeline(16, 1, List.of());
        sketch.block(0).add(new Operation.Pipeline(16, 1, List.of(inner)));
        assertTrue(refusal().contains("op 0 (pipeline), inner op 0 (pipeline): a pipeline stands inside a pipeline"));
    }

    @Test
    void refusesAChannelTypeOfALocalOperation() {
        ChunkRef chunk = new ChunkRef.Local(BufferType.INPUT, 0, 1);
        sketch.block(0)
                .add(new Operation.Data(
                        DataKind.COPY,
                        Optional.of(ChannelType.MEMORY),
                        List.of(),
                        List.of(chunk),
                        List.of(chunk),
                        BlockShare.WHOLE,
                        Optional.empty()));
        assertTrue(refusal().contains("channel_type is memory; allowed: none, since all operands are local"));
    }

    @Test
    void refusesAPlaceThatNoPlainOperandHas() {
        assertEquals(
                "plan packets: rank 0, block 0, op 0 (repkt): plain_place is 3; allowed: 0 to 2 (operands of the"
                        + " reduction)",
                refusalOfPlace(DataKind.REDUCE_PACKETS, 3));
        assertEquals(
                "plan packets: rank 0, block 0, op 0 (upkt): plain_place is 0; allowed: none,"
                        + " since upkt does not reduce packets",
                refusalOfPlace(DataKind.UNPACK_PACKETS, 0));
    }

    private static String refusalOfPlace(DataKind kind, int place) {
        ChunkRef plain = new ChunkRef.Local(BufferType.OUTPUT, 0, 1);
        ChunkRef packets = new ChunkRef.Local(BufferType.SCRATCH, 0, 1);
        PlanSketch sketch = new PlanSketch("packets", Collective.TEST, Protocol.LL, false, 1).chunks(1, 1, 1);
        sketch.block(0)
                .add(new Operation.Data(
                        kind,
                        Optional.empty(),
                        List.of(),
                        kind.reducesPackets() ? List.of(plain, packets, packets) : List.of(packets),
                        List.of(plain),
                        BlockShare.WHOLE,
                        Optional.empty(),
                        OptionalInt.of(place)));
        return assertThrows(InvalidArgumentException.class, () -> PlanValidator.validate(sketch.build()))
                .getMessage();
    }

    @Test
    void pairsSwitchGroupsByMembersBufferAndOrder() {
        SwitchGroup input = new SwitchGroup(BufferType.INPUT, List.of(0, 1));
        SwitchGroup scratch = new SwitchGroup(BufferType.SCRATCH, List.of(1, 0));
        Plan plan = withGroups(List.of(input, scratch, input), List.of(scratch, input, input));
        PlanValidator.validate(plan);
        SwitchPairing pairing = SwitchPairing.of(plan);
        assertEquals(pairing.groups(0).get(0), pairing.groups(1).get(1));
        assertEquals(pairing.groups(0).get(1), pairing.groups(1).get(0));
        assertEquals(pairing.groups(0).get(2), pairing.groups(1).get(2));
        Plan unequal = withGroups(List.of(input, input), List.of(input));
        String message = assertThrows(InvalidArgumentException.class, () -> PlanValidator.validate(unequal))
                .getMessage();
        assertTrue(message.contains("switch channel 1 is number 1 over buffer i"), message);
    }

    private static Plan withGroups(List<SwitchGroup> first, List<SwitchGroup> second) {
        return new Plan(
                "groups",
                Collective.TEST,
                Protocol.SIMPLE,
                false,
                false,
                1024,
                false,
                16,
                0,
                -1,
                List.of(withGroups(0, first), withGroups(1, second)));
    }

    private static RankPlan withGroups(int rank, List<SwitchGroup> groups) {
        return new RankPlan(rank, 0, 0, 0, List.of(), List.of(), List.of(), groups, List.of(), List.of());
    }

    private String refusal() {
        return assertThrows(InvalidArgumentException.class, () -> PlanValidator.validate(sketch.build()))
                .getMessage();
    }
}

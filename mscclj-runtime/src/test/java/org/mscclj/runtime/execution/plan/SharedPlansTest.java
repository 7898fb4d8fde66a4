package org.mscclj.runtime.execution.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.plan.pairing.ChannelPairing;
import org.mscclj.spi.transfer.TransferLanes;
import org.mscclj.spi.transfer.TransferPreference;

/** The ranks of a process have one plan of equal lanes, and one pairing of its channels. */
class SharedPlansTest {
    private static TransferLanes lanes(int ranks) {
        return TransferPreference.HOST.lanes(Collections.nCopies(ranks, 0));
    }

    @Test
    void equalLanesHaveOnePlan() {
        Plan plan = SharedPlans.of(lanes(3));
        assertSame(plan, SharedPlans.of(lanes(3)));
        assertEquals(3, plan.ranks().size());
    }

    @Test
    void otherLanesHaveOthers() {
        Plan plan = SharedPlans.of(lanes(3));
        assertNotSame(plan, SharedPlans.of(lanes(4)));
        assertNotSame(plan, SharedPlans.of(TransferPreference.HOST.lanes(List.of(0, 0, 1))));
    }

    @Test
    void equalProgramsHaveOnePlan() {
        ProgramSpec three = new ProgramSpec(Collective.ALLREDUCE, 3, 3, 0, false, 1);
        ProgramSpec four = new ProgramSpec(Collective.ALLREDUCE, 4, 4, 0, false, 1);
        Plan plan = SharedPlans.of(ShippedProgram.DIRECT, three);
        assertSame(
                plan, SharedPlans.of(ShippedProgram.DIRECT, new ProgramSpec(Collective.ALLREDUCE, 3, 3, 0, false, 1)));
        assertNotSame(plan, SharedPlans.of(ShippedProgram.DIRECT, four));
        assertEquals(ShippedProgram.DIRECT.plan(three), plan);
    }

    @Test
    void aPlanIsPairedOnce() {
        Plan plan = SharedPlans.of(lanes(5));
        ChannelPairing memory = SharedPlans.memoryPairing(plan);
        assertSame(memory, SharedPlans.memoryPairing(plan));
        assertEquals(8, memory.slots(0) / 2);
        assertEquals(0, SharedPlans.portPairing(plan).slots(0));
        assertTrue(SharedPlans.onlyScratch(plan));
    }

    @Test
    void digestsTellProgramsApartWithoutTheirPlans() {
        ProgramSpec three = new ProgramSpec(Collective.ALLREDUCE, 3, 3, 0, false, 1);
        Plan plan = SharedPlans.of(ShippedProgram.DIRECT, three);
        Plan inPlace = SharedPlans.of(ShippedProgram.DIRECT, three.inPlace(true));
        Plan scratch = SharedPlans.of(ShippedProgram.SCRATCH, three);
        List<String> digests = Stream.of(plan, inPlace, scratch, SharedPlans.of(ShippedProgram.DIRECT, three))
                .map(PlanDigests::ofProgram)
                .toList();
        assertEquals(digests.getFirst(), digests.getLast());
        assertEquals(3, Set.copyOf(digests).size(), digests::toString);
    }
}

package org.mscclj.runtime.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.plan.Plan;
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
    void aPlanIsPairedOnce() {
        Plan plan = SharedPlans.of(lanes(5));
        SharedPlans.Pairings pairings = SharedPlans.pairings(plan);
        assertSame(pairings, SharedPlans.pairings(plan));
        assertEquals(8, pairings.memory().slots(0) / 2);
        assertEquals(0, pairings.port().slots(0));
    }
}

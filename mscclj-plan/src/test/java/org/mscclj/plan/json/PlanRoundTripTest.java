package org.mscclj.plan.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RandomPlans;
import org.mscclj.plan.text.PlanPrinter;
import org.mscclj.plan.validation.PlanValidator;
import org.mscclj.plan.validation.RelaxedSignals;

/** Written plans are read back equal. */
class PlanRoundTripTest {
    @Property(tries = 500)
    void writtenPlansAreReadBackEqual(@ForAll long seed) {
        Plan plan = RandomPlans.of(seed);
        PlanValidator.validate(plan);
        String json = PlanWriter.write(plan);
        assertEquals(plan, PlanReader.read(json, "round trip"));
        assertEquals(json, PlanWriter.write(PlanReader.read(json, "round trip")));
    }

    @Property(tries = 200)
    void everyValidPlanCanBePrintedAndWalked(@ForAll long seed) {
        Plan plan = RandomPlans.of(seed);
        assertTrue(PlanPrinter.print(plan).startsWith("plan random"));
        RelaxedSignals.needingRelease(plan);
    }
}

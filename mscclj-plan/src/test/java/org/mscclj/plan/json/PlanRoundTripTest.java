package org.mscclj.plan.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.plan.Plan;
import org.mscclj.plan.PlanValidator;
import org.mscclj.plan.RandomPlans;
import org.mscclj.plan.RelaxedSignals;
import org.mscclj.plan.text.PlanPrinter;

/** What is written is read back equal. */
class PlanRoundTripTest {
    @Property(tries = 500)
    void readsBackWhatItWrote(@ForAll long seed) {
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

    @Test
    void writesFiles(@TempDir Path folder) {
        Plan plan = RandomPlans.of(7);
        Path file = folder.resolve("plan.json");
        PlanWriter.write(plan, file);
        assertTrue(Files.exists(file));
        assertEquals(plan, PlanReader.read(file));
    }
}

package org.mscclj.analysis.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mscclj.analysis.simulate.topology.Presets;
import org.mscclj.analysis.verify.Verifier;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.plan.validation.PlanValidator;

/** Plans of many ranks are simulated in seconds. */
class ManyRanksTest {
    private static final Duration LONG = Duration.ofSeconds(60); // seconds on a machine that is not busy
    private static final SimulationOptions WITHOUT_SPANS = SimulationOptions.DEFAULT.withoutSpans();

    @Test
    void theTwoLevelPlanIsRight() {
        Plan plan = TwoLevelPlans.allReduce(4, 2);
        PlanValidator.validate(plan);
        assertTrue(
                Verifier.verify(plan).isProved(),
                () -> Verifier.verify(plan).findings().toString());
    }

    @Test
    void aThousandRanksOnTwoLevels() {
        Plan plan = TwoLevelPlans.allReduce(128, 8);
        Prediction prediction = assertTimeoutPreemptively(
                LONG,
                () -> Simulator.simulate(plan, Presets.find("h200x8-nodes:128").orElseThrow(), 1 << 20, WITHOUT_SPANS));
        assertTrue(prediction.nanos() > 0);
        assertEquals(0, prediction.round().spans().size());
    }

    @Test
    void shippedAllreduceOf64Ranks() {
        Plan plan = ShippedProgram.PORT.plan(
                ProgramSpec.of(Collective.ALLREDUCE, 64).inPlace(true));
        Prediction prediction = assertTimeoutPreemptively(
                LONG,
                () -> Simulator.simulate(
                        plan, Presets.find("h200x8-nodes:8").orElseThrow(), 1 << 16, SimulationOptions.DEFAULT));
        assertTrue(prediction.round().spans().size() > plan.worldSize());
    }
}

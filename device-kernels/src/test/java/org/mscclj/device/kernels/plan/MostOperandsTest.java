package org.mscclj.device.kernels.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;

/** Communicators choose programs by their operands, of which kernels take a limited number. */
class MostOperandsTest {
    private static int most(Plan plan) {
        PlanCode code = PlanCode.of(plan);
        return plan.ranks().stream()
                .map(RankPlan::rank)
                .flatMap(rank -> code.steps(rank).stream().flatMap(List::stream))
                .mapToInt(MostOperandsTest::operands)
                .max()
                .orElse(0);
    }

    private static int operands(KernelStep step) {
        return switch (step) {
            case KernelStep.Data data -> data.move().operands().size();
            case KernelStep.Pipeline pipeline ->
                pipeline.steps().stream()
                        .mapToInt(MostOperandsTest::operands)
                        .max()
                        .orElse(0);
            default -> 0;
        };
    }

    @ParameterizedTest
    @EnumSource(ShippedProgram.class)
    void programsHaveAsManyOperandsAsTheySay(ShippedProgram program) {
        for (Collective collective : program.collectives()) {
            for (int ranks : new int[] {2, 3, 5, 8}) {
                ProgramSpec spec = ProgramSpec.of(collective, ranks);
                if (program.refusal(spec).isEmpty()) {
                    assertEquals(program.mostOperands(spec), most(program.plan(spec)), spec::toString);
                }
            }
            for (int ranksPerNode : new int[] {1, 2, 3}) {
                ProgramSpec spec = ProgramSpec.of(collective, 6).ranksPerNode(ranksPerNode);
                if (program == ShippedProgram.TWO_LEVEL) {
                    assertTrue(most(program.plan(spec)) <= program.mostOperands(spec), spec::toString);
                }
            }
        }
    }

    @Test
    void kernelsTakeTwoOperandsOfEachOf31Ranks() {
        ProgramSpec spec = ProgramSpec.of(Collective.ALLREDUCE, 31);
        assertEquals(62, most(ShippedProgram.DIRECT.plan(spec)));
        Plan more = ShippedProgram.DIRECT.plan(ProgramSpec.of(Collective.ALLREDUCE, 32));
        String message = assertThrows(UnsupportedException.class, () -> PlanCode.of(more))
                .getMessage();
        assertTrue(String.valueOf(message).contains("has 64 operands; a kernel takes up to 62"), message);
    }
}

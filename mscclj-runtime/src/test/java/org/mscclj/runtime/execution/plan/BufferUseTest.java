package org.mscclj.runtime.execution.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;

/** Whose input a plan reads follows from the plan, though it does not name its root. */
class BufferUseTest {
    private static final int RANKS = 4;

    private static List<Plan> plans(Collective collective, int root, boolean inPlace) {
        ProgramSpec spec = ProgramSpec.of(collective, RANKS).root(root).inPlace(inPlace);
        List<Plan> plans = new ArrayList<>();
        for (ShippedProgram program : ShippedProgram.values()) {
            for (ProgramSpec each : List.of(spec, spec.ranksPerNode(2))) {
                if (program.refusal(each).isEmpty()) {
                    plans.add(program.plan(each));
                }
            }
        }
        return plans;
    }

    @ParameterizedTest
    @EnumSource(names = {"BROADCAST", "SCATTER"})
    void onlyTheRootsInputIsRead(Collective collective) {
        for (int root = 0; root < RANKS; root++) {
            for (boolean inPlace : new boolean[] {false, true}) {
                List<Plan> plans = plans(collective, root, inPlace);
                assertTrue(plans.size() > 3, plans::toString);
                for (Plan plan : plans) {
                    for (int rank = 0; rank < RANKS; rank++) {
                        assertEquals(rank == root, BufferUse.isInputRead(plan, rank), plan.name() + ", rank " + rank);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REDUCE", "GATHER"})
    void everyInputIsReadAndOnlyTheRootsOutputWritten(Collective collective) {
        for (int root = 0; root < RANKS; root++) {
            for (Plan plan : plans(collective, root, false)) {
                for (int rank = 0; rank < RANKS; rank++) {
                    assertTrue(BufferUse.isInputRead(plan, rank), plan.name());
                    assertEquals(rank == root, BufferUse.isOutputWritten(plan, rank), plan.name() + ", rank " + rank);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BROADCAST", "SCATTER"})
    void aRankAloneReadsItsInput(Collective collective) {
        for (boolean inPlace : new boolean[] {false, true}) {
            assertTrue(BufferUse.isInputRead(
                    ShippedProgram.SCRATCH.plan(ProgramSpec.of(collective, 1).inPlace(inPlace)), 0));
        }
    }
}

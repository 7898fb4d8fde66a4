package org.mscclj.plan.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.Plan;
import org.mscclj.plan.program.ProgramSpec;
import org.mscclj.plan.program.ShippedProgram;

/** Every shipped program is proved: every collective, in place and out of place, with one block and with shares of three. */
class ShippedProgramsVerifiedTest {
    @ParameterizedTest(name = "{0} ranks")
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 32})
    void isProved(int ranks) {
        List<String> wrong = new ArrayList<>();
        int proved = 0;
        for (ShippedProgram program : ShippedProgram.values()) {
            for (Collective collective : Collective.values()) {
                for (boolean inPlace : new boolean[] {false, true}) {
                    if (program.refusal(collective, inPlace).isEmpty()) {
                        for (int blocks : ranks <= 9 ? new int[] {1, 3} : new int[] {1}) {
                            int root = collective.hasRoot() ? ranks - 1 : 0;
                            Plan plan = program.plan(new ProgramSpec(collective, ranks, root, inPlace, blocks));
                            Verdict verdict = Verifier.verify(plan);
                            if (verdict.isProved()) {
                                proved++;
                                assertTrue(verdict.equalBits() || collective != Collective.ALLREDUCE, plan::name);
                            } else {
                                wrong.add(
                                        plan.name() + ": " + verdict.findings().getFirst());
                            }
                        }
                    }
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(proved > 0, "no program was verified");
    }
}

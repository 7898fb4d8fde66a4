package org.mscclj.plan.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.Plan;
import org.mscclj.plan.program.ProgramSpec;
import org.mscclj.plan.program.ShippedProgram;

/**
 * Every shipped program is proved: every collective, in place and out of place, with one block and with shares of three, from and to the last rank;
 * on two levels also from a root in the middle.
 */
class ShippedProgramsVerifiedTest {
    @ParameterizedTest(name = "{0} ranks")
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 32})
    void isProved(int ranks) {
        verify(ranks, ranks, Set.of(ranks - 1), EnumSet.complementOf(EnumSet.of(ShippedProgram.TWO_LEVEL)));
    }

    @ParameterizedTest(name = "{0} nodes of {1} ranks")
    @CsvSource({
        "2,1", "3,1", "2,2", "4,1", "5,1", "2,3", "3,2", "6,1", "7,1", "2,4", "4,2", "8,1", "3,3", "9,1", "5,3", "2,8",
        "4,4", "8,2", "16,1", "2,16", "4,8", "8,4", "16,2", "32,1"
    })
    void isProvedOnNodes(int nodes, int ranksPerNode) {
        int ranks = nodes * ranksPerNode;
        verify(ranks, ranksPerNode, new TreeSet<>(List.of(ranks / 2, ranks - 1)), EnumSet.of(ShippedProgram.TWO_LEVEL));
    }

    private static void verify(int ranks, int ranksPerNode, Set<Integer> roots, Set<ShippedProgram> programs) {
        List<String> wrong = new ArrayList<>();
        int proved = 0;
        for (ShippedProgram program : programs) {
            for (ProgramSpec spec : specs(ranks, ranksPerNode, roots)) {
                if (program.refusal(spec).isEmpty()) {
                    Plan plan = program.plan(spec);
                    Verdict verdict = Verifier.verify(plan);
                    if (verdict.isProved()) {
                        proved++;
                        assertTrue(verdict.equalBits() || spec.collective() != Collective.ALLREDUCE, plan::name);
                    } else {
                        wrong.add(plan.name() + ": " + verdict.findings().getFirst());
                    }
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(proved > 0, "no program was verified");
    }

    private static List<ProgramSpec> specs(int ranks, int ranksPerNode, Set<Integer> roots) {
        List<ProgramSpec> specs = new ArrayList<>();
        for (Collective collective : Collective.values()) {
            for (int root : collective.hasRoot() ? roots : Set.of(0)) {
                for (boolean inPlace : new boolean[] {false, true}) {
                    for (int blocks : ranks <= 9 ? new int[] {1, 3} : new int[] {1}) {
                        specs.add(new ProgramSpec(collective, ranks, ranksPerNode, root, inPlace, blocks));
                    }
                }
            }
        }
        return specs;
    }
}

package org.mscclj.analysis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.analysis.verdict.Verdict;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;

/**
 * Every shipped program is proved: every collective, in place and out of place, with one block, with three blocks,
 * which divide unevenly, and with four, which communicators use; for the first root, the last, and one between.
 *
 * <p>Not every number of blocks is combined with every root: combinations alternate, differently in place. With many
 * ranks, only one block is tested.
 */
class ShippedProgramsVerifiedTest {
    private static final List<Integer> BLOCKS = List.of(1, 3, 4);

    @ParameterizedTest(name = "{0} ranks")
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 32})
    void isProved(int ranks) {
        verify(ranks, ranks, EnumSet.complementOf(EnumSet.of(ShippedProgram.TWO_LEVEL)));
    }

    @ParameterizedTest(name = "{0} nodes of {1} ranks")
    @CsvSource({
        "2,1", "3,1", "2,2", "4,1", "5,1", "2,3", "3,2", "6,1", "7,1", "2,4", "4,2", "8,1", "3,3", "9,1", "5,3", "2,8",
        "4,4", "8,2", "16,1", "2,16", "4,8", "8,4", "16,2", "32,1"
    })
    void isProvedOnNodes(int nodes, int ranksPerNode) {
        verify(nodes * ranksPerNode, ranksPerNode, EnumSet.of(ShippedProgram.TWO_LEVEL));
    }

    /** More nodes than an operation adds up. */
    @ParameterizedTest
    @EnumSource(
            value = Collective.class,
            names = {"ALLREDUCE", "REDUCESCATTER", "REDUCE"})
    void isProvedOnManyNodes(Collective collective) {
        ProgramSpec spec = ProgramSpec.of(collective, 40).ranksPerNode(1);
        Verdict verdict = Verifier.verify(ShippedProgram.TWO_LEVEL.plan(spec));
        assertTrue(verdict.isProved(), () -> spec + ": " + verdict.findings());
        assertTrue(verdict.equalBits() || collective != Collective.ALLREDUCE);
    }

    /** With as many blocks as communicators use on GPUs, where some of them only copy the rank's own part. */
    @ParameterizedTest(name = "{0} ranks")
    @ValueSource(ints = {2, 3, 4, 8})
    void isProvedWithBlocksForTheOwnPart(int ranks) {
        ProgramSpec spec = ProgramSpec.of(Collective.ALLGATHER, ranks).blocks(40);
        ProgramSpec allToAll = ProgramSpec.of(Collective.ALLTOALL, ranks).blocks(40);
        for (ProgramSpec large : List.of(spec, spec.inPlace(true), allToAll)) {
            Verdict verdict = Verifier.verify(ShippedProgram.DIRECT.plan(large));
            assertTrue(verdict.isProved(), () -> large + ": " + verdict.findings());
        }
    }

    private static void verify(int ranks, int ranksPerNode, Set<ShippedProgram> programs) {
        List<String> wrong = new ArrayList<>();
        int proved = 0;
        for (ShippedProgram program : programs) {
            for (ProgramSpec spec : specs(ranks, ranksPerNode)) {
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

    private static List<ProgramSpec> specs(int ranks, int ranksPerNode) {
        List<Integer> roots = List.of(ranks / 2, ranks - 1, 0);
        List<ProgramSpec> specs = new ArrayList<>();
        for (Collective collective : Collective.values()) {
            for (boolean inPlace : new boolean[] {false, true}) {
                for (int i = 0; i < BLOCKS.size(); i++) {
                    int turn = (i + (inPlace ? 1 : 0)) % roots.size();
                    int root = collective.hasRoot() ? roots.get(turn) : 0;
                    int blocks = BLOCKS.get(i);
                    if (isTried(blocks, ranks, inPlace)) {
                        specs.add(new ProgramSpec(collective, ranks, ranksPerNode, root, inPlace, blocks));
                    }
                }
            }
        }
        return specs;
    }

    private static boolean isTried(int blocks, int ranks, boolean inPlace) {
        final int few = 6;
        final int many = 9;
        return blocks == 1 || ranks <= few || (ranks <= many && blocks == (inPlace ? 4 : 3));
    }
}

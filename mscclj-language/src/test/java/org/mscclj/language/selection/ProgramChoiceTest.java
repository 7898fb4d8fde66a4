package org.mscclj.language.selection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.plan.preference.SelectionText;

/** Measured choices come before thresholds. */
class ProgramChoiceTest {
    private static final ProgramPreference MEASURED = ProgramPreference.GPU.withTable(SelectionText.parse("""
                    selection 1
                    allreduce 2 registered
                      0  scratch 3
                      4K direct 7
                    allreduce 2 plain
                      0  direct 5
                      4K packets 6
                    """, "here"));

    private static ProgramChoice best(boolean registered, MappingObstacles obstacles, int ranks, long bytes) {
        return ProgramChoice.best(
                        ProgramSpec.of(Collective.ALLREDUCE, ranks),
                        bytes,
                        new SelectionContext(registered, false, obstacles, Optional.empty(), MEASURED),
                        new ArrayList<>())
                .orElseThrow();
    }

    /** Plain buffers cannot be served by direct, and the thresholds take packets for them. */
    @ParameterizedTest
    @CsvSource({
        "true,0,SCRATCH,3",
        "true,4095,SCRATCH,3",
        "true,4096,DIRECT,7",
        "false,4095,PACKETS,2",
        "false,4096,PACKETS,6"
    })
    void tablesAreFollowedUnlessTheirProgramIsRefused(
            boolean registered, long bytes, ShippedProgram program, int blocks) {
        ProgramChoice choice = best(registered, MappingObstacles.NONE, 2, bytes);
        assertEquals(program, choice.program());
        assertEquals(blocks, choice.spec().blocks());
    }

    @Test
    void otherRanksAreServedByThresholds() {
        assertEquals(
                ShippedProgram.PACKETS, best(true, MappingObstacles.NONE, 3, 0).program());
    }

    @Test
    void ranksThatCannotMapMemoryUsePorts() {
        Optional<String> far = Optional.of("they are on several nodes");
        assertEquals(
                ShippedProgram.PORT,
                best(true, new MappingObstacles(far, far), 2, 0).program());
    }

    @Test
    void sizesAtWhichRowsBeginAreSteps() {
        List<Long> steps = new ProgramRanking(MEASURED).steps(2);
        assertTrue(steps.contains(4096L), steps::toString);
        assertEquals(steps.stream().sorted().distinct().toList(), steps);
    }

    @Test
    void programsAreNamedWithBlocks() {
        assertEquals(
                Optional.of(new NamedProgram(ShippedProgram.PACKETS, OptionalInt.of(12))),
                NamedProgram.find("packets@12"));
        assertEquals(
                Optional.of(new NamedProgram(ShippedProgram.PORT, OptionalInt.empty())), NamedProgram.find("port"));
        assertEquals(Optional.empty(), NamedProgram.find("parcels@12"));
        String said = assertThrows(InvalidArgumentException.class, () -> NamedProgram.find("packets@many"))
                .getMessage();
        assertTrue(said.contains("\"packets@many\"; allowed behind @"), said);
    }
}

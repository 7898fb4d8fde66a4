package org.mscclj.backend.host.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.plan.validation.PlanValidator;

/**
 * Every one-operation mutant of a shipped program for which a schedule is found that goes wrong on the engine is
 * refuted by the verifier, and the program itself goes wrong in none.
 */
class MutantsRefutedTest {
    private static final long MAX_STEPS = 5_000;

    @ParameterizedTest
    @CsvSource({
        "PACKETS, ALLREDUCE, 2, true, 1",
        "PACKETS, ALLREDUCE, 3, true, 1",
        "PACKETS_TWO_SHOT, ALLREDUCE, 2, false, 1",
        "DIRECT, ALLREDUCE, 2, true, 1",
        "DIRECT, REDUCESCATTER, 2, false, 1",
        "SCRATCH, ALLREDUCE, 2, false, 1",
        "SCRATCH, ALLTOALL, 2, true, 1",
        "SCRATCH, ALLGATHER, 2, false, 2",
        "RING, ALLREDUCE, 3, true, 1",
        "MULTICAST, ALLREDUCE, 2, true, 1",
        "PORT, ALLREDUCE, 2, false, 1",
        "PORT, ALLGATHER, 2, true, 1",
        "TWO_LEVEL, REDUCESCATTER, 4, false, 1"
    })
    void whatASearchOfSchedulesFindsIsRefuted(
            ShippedProgram program, Collective collective, int ranks, boolean inPlace, int blocks) {
        Plan plan = program.plan(ProgramSpec.of(collective, ranks)
                .ranksPerNode(program == ShippedProgram.TWO_LEVEL ? ranks / 2 : ranks)
                .inPlace(inPlace)
                .blocks(blocks));
        assertEquals(Optional.empty(), MutationStudy.fault(plan, MAX_STEPS));
        int found = 0;
        for (Mutants.Mutant mutant : Mutants.of(plan)) {
            try {
                PlanValidator.validate(mutant.plan());
            } catch (InvalidArgumentException e) {
                continue; // refused before it could run
            }
            Optional<String> fault = MutationStudy.fault(mutant.plan(), MAX_STEPS);
            if (fault.isPresent()) {
                found++;
                assertEquals("refuted", MutationStudy.verdict(mutant.plan()), () -> mutant.what() + ": " + fault.get());
            }
        }
        assertTrue(found > 0, "no mutant goes wrong in any schedule: nothing was tested");
    }
}

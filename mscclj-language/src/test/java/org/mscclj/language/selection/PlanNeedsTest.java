package org.mscclj.language.selection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.MappedPeers;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.plan.preference.ProgramPreference;

class PlanNeedsTest {
    private static final List<Integer> TWO_NODES = List.of(0, 0, 1, 1);

    /** The declared needs of a program equal those computed from its plans. */
    @ParameterizedTest
    @EnumSource(ShippedProgram.class)
    void needsOfAProgramAreThoseOfItsPlans(ShippedProgram program) {
        for (Collective collective : program.collectives()) {
            for (boolean inPlace : new boolean[] {false, true}) {
                ProgramSpec spec = ProgramSpec.of(collective, 4).ranksPerNode(2).inPlace(inPlace);
                if (program.refusal(spec).isEmpty()) {
                    Plan plan = program.plan(spec);
                    assertEquals(PlanNeeds.of(program), PlanNeeds.of(plan, TWO_NODES), plan.name());
                }
            }
        }
    }

    @Test
    void onOneNodeAllPeersShareIt() {
        Plan plan = ShippedProgram.RING.plan(ProgramSpec.of(Collective.ALLREDUCE, 4));
        assertEquals(
                new PlanNeeds(MappedPeers.SAME_NODE, false, false),
                PlanNeeds.of(plan, IntStream.range(0, 4).mapToObj(_ -> 0).toList()));
    }

    @Test
    void aRankAloneNeedsNoPeers() {
        Plan plan = ShippedProgram.RING.plan(ProgramSpec.of(Collective.ALLREDUCE, 1));
        assertEquals(new PlanNeeds(MappedPeers.NONE, false, false), PlanNeeds.of(plan, List.of(0)));
    }

    @Test
    void missingNeedIsNamed() {
        MappingObstacles far = new MappingObstacles(Optional.of("too far"), Optional.empty());
        SelectionContext nothing = new SelectionContext(false, false, far, Optional.empty(), ProgramPreference.HOST);
        SelectionContext registered = new SelectionContext(true, false, far, Optional.empty(), ProgramPreference.HOST);
        assertEquals(
                Optional.of("it needs buffers from Communicator.allocate, at equal offsets on all ranks"),
                PlanNeeds.of(ShippedProgram.DIRECT).missing(nothing));
        assertEquals(Optional.of("too far"), PlanNeeds.of(ShippedProgram.DIRECT).missing(registered));
        assertEquals(
                Optional.of("the backend does not declare MULTICAST"),
                PlanNeeds.of(ShippedProgram.MULTICAST).missing(nothing));
        assertEquals(Optional.empty(), PlanNeeds.of(ShippedProgram.TWO_LEVEL).missing(nothing));
        assertEquals(Optional.empty(), PlanNeeds.of(ShippedProgram.PORT).missing(nothing));
    }
}

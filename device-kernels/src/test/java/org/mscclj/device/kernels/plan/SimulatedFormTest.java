package org.mscclj.device.kernels.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.analysis.walk.FusedForm;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.plan.layout.LaunchGeometry;

/** The simulator takes launches of shipped programs for what they are on GPUs: general, fused, or in lines. */
class SimulatedFormTest {
    private static final int MAX_BLOCKS = 8;
    private static final long SLOT = 64 << 10;

    private enum Form {
        GENERAL,
        FUSED,
        LINES;

        static Form of(Optional<Boolean> lines) {
            return lines.map(yes -> yes ? LINES : FUSED).orElse(GENERAL);
        }
    }

    /** Slices of some bytes to several rounds, most of them near lengths at which blocks begin to have lines. */
    private static long sliceBytes(Random random, Plan plan) {
        long chunks = LaunchGeometry.chunksPerSlice(plan);
        return switch (random.nextInt(4)) {
            case 0 -> 1 + random.nextInt(2000);
            case 1 -> chunks * (576 + 64 * (random.nextInt(5) - 2)) - random.nextInt(3);
            case 2 -> chunks * MAX_BLOCKS * (576 + 64 * (random.nextInt(5) - 2)) - random.nextInt(3);
            default -> 1 + random.nextLong(3 * SLOT * chunks);
        };
    }

    private static Form simulated(Plan plan, LaunchGeometry geometry, long round, boolean mayBeLines) {
        return Form.of(FusedForm.of(plan, geometry.round(round), mayBeLines).map(FusedForm::lines));
    }

    private static Form ofEngine(
            PlanCode code, Plan plan, int rank, LaunchGeometry geometry, long round, boolean mayBeLines) {
        return Form.of(code.fused()
                .flatMap(_ -> FusedLaunch.of(code, plan, rank, geometry.sliceBytes(), SLOT, 0)
                        .table(round, mayBeLines, true))
                .map(FusedTable::inLines));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8})
    void theSimulatorHasTheFormOfTheEngine(int ranks) {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Set<Form> seen = EnumSet.noneOf(Form.class);
        for (Collective collective : Collective.values()) {
            for (ShippedProgram program : ShippedProgram.values()) {
                ProgramSpec spec = ProgramSpec.of(collective, ranks)
                        .blocks(1 + random.nextInt(MAX_BLOCKS))
                        .inPlace(random.nextBoolean());
                if (!program.collectives().contains(collective)
                        || program.refusal(spec).isPresent()) {
                    continue;
                }
                Plan plan = program.plan(spec);
                PlanCode code = PlanCode.of(plan);
                for (int i = 0; i < 6; i++) {
                    LaunchGeometry geometry = LaunchGeometry.of(plan, sliceBytes(random, plan), SLOT);
                    long round = random.nextLong(geometry.rounds());
                    boolean mayBeLines = random.nextInt(4) > 0;
                    Form form = simulated(plan, geometry, round, mayBeLines);
                    seen.add(form);
                    for (int rank = 0; rank < ranks; rank++) {
                        assertEquals(
                                ofEngine(code, plan, rank, geometry, round, mayBeLines),
                                form,
                                () -> plan.label() + ", round " + round + " of " + geometry + ", seed " + seed);
                    }
                }
            }
        }
        assertTrue(seen.containsAll(EnumSet.allOf(Form.class)), () -> "seen " + seen + ", seed " + seed);
    }
}

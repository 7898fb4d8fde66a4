package org.mscclj.device.kernels.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.plan.layout.RoundLayout;

/** A table that is derived from another one is the table that would be written. */
class PlanTablesTest {
    private static final int PLANS = 60;
    private static final int CALLS = 8;

    private static final List<ShippedProgram> PROGRAMS = List.of(
            ShippedProgram.PACKETS,
            ShippedProgram.PACKETS_LL128,
            ShippedProgram.PACKETS_TWO_SHOT,
            ShippedProgram.SCRATCH,
            ShippedProgram.DIRECT,
            ShippedProgram.RING);

    private static final List<Collective> COLLECTIVES =
            List.of(Collective.ALLREDUCE, Collective.REDUCESCATTER, Collective.ALLGATHER, Collective.BROADCAST);

    private static PlanTables tables(FusedLaunch launch, boolean mayBeLines) {
        return new PlanTables(
                launch.code(), launch.context(), new StateLayout(launch.context()), 1L << 20, mayBeLines, true);
    }

    @Test
    void tablesForBuffersElsewhereAreThoseThatWouldBeWritten() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < PLANS; i++) {
            ShippedProgram program = PROGRAMS.get(i % PROGRAMS.size());
            int ranks = 2 + random.nextInt(4);
            boolean inPlace = random.nextBoolean();
            Collective collective = COLLECTIVES.get(random.nextInt(COLLECTIVES.size()));
            if (!program.collectives().contains(collective)) {
                collective = Collective.ALLREDUCE;
            }
            Plan plan = program.plan(ProgramSpec.of(collective, ranks)
                    .blocks(1 + random.nextInt(4))
                    .inPlace(inPlace));
            FusedLaunch first = FusedLaunch.of(
                    plan, random.nextInt(ranks), 1 + random.nextInt(3000), 128L * (1 + random.nextInt(20)), 0);
            boolean mayBeLines = random.nextBoolean();
            boolean mayBeFused = mayBeLines || random.nextInt(4) != 0;
            PlanTables tables = tables(first, mayBeLines);
            long rounds = first.launch().geometry().rounds();
            for (int call = 0; call < CALLS; call++) {
                long inputBy = place(random);
                FusedLaunch launch = first.behind(inputBy, inPlace ? inputBy : place(random));
                RoundLayout layout = launch.launch().geometry().round(random.nextLong(rounds));
                PlanTable expected = tables(launch, mayBeLines).of(launch.launch(), layout, mayBeFused);
                PlanTable found = tables.of(launch.launch(), layout, mayBeFused);
                String what = "seed " + seed + ", plan " + i + ", " + plan.label() + ", call " + call;
                assertArrayEquals(expected.words(), found.words(), what);
                assertEquals(expected.mostUnits(), found.mostUnits(), what);
                assertEquals(expected.form(), found.form(), what);
            }
        }
    }

    /** Where buffers may be: near each other or far, aligned as lines of packets, as vectors, or as bytes. */
    private static long place(Random random) {
        long place = random.nextLong(1L << (10 + random.nextInt(30)));
        return switch (random.nextInt(4)) {
            case 0 -> place;
            case 1 -> place & -16;
            default -> place & -128;
        };
    }

    @Test
    void theThirdCallIsDerived() {
        Plan plan = ShippedProgram.SCRATCH.plan(ProgramSpec.of(Collective.ALLREDUCE, 2));
        FusedLaunch first = FusedLaunch.of(plan, 0, 1 << 10, 1 << 10, 0);
        RoundLayout layout = first.launch().geometry().round(0);
        PlanTables tables = tables(first, false);
        List<Boolean> derived = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            FusedLaunch launch = first.behind(256L * i, 1024L * i);
            derived.add(tables.derives(launch.launch(), layout, true));
            PlanTable _ = tables.of(launch.launch(), layout, true);
        }
        assertEquals(List.of(false, false, true, true), derived);
        assertFalse(tables.derives(first.behind(1, 0).launch(), layout, true), "other alignment");
        assertFalse(tables.derives(first.launch(), layout, false), "other form");
    }

    @Test
    void wordsThatDifferByAnythingElseAreNotMoved() {
        long[] words = {5, 1000, 2000, 1L << 63 | 3000};
        assertArrayEquals(
                new long[] {5, 1007, 2011, 1L << 63 | 3007},
                MovableWords.of(words, new long[] {5, 1100, 2200, 1L << 63 | 3100}, 100, 200)
                        .orElseThrow()
                        .at(7, 11));
        assertArrayEquals(
                new long[] {5, 1007, 2000, 1L << 63 | 3000},
                MovableWords.of(words, new long[] {5, 1100, 2000, 1L << 63 | 3000}, 100, 100)
                        .orElseThrow()
                        .at(7, 7));
        for (long[] other : List.of(
                new long[] {6, 1100, 2200, 1L << 63 | 3100},
                new long[] {5, 1100, 2200, 1L << 63 | 3100, 0},
                new long[] {5, 1300, 2200, 1L << 63 | 3100})) {
            assertEquals(Optional.empty(), MovableWords.of(words, other, 100, 200));
        }
        assertTrue(MovableWords.of(new long[0], new long[0], 100, 200).isPresent());
    }
}

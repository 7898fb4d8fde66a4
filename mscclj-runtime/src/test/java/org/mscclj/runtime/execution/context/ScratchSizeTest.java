package org.mscclj.runtime.execution.context;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.execution.environment.ExecutorOptions;

class ScratchSizeTest {
    private static Plan packets(int ranks) {
        return ShippedProgram.PACKETS.plan(new ProgramSpec(Collective.ALLREDUCE, ranks, ranks, 0, false, 1));
    }

    private static long slot(Plan plan, long bytes) {
        return ScratchSize.slotBytes(plan, bytes, ExecutorOptions.DEFAULT);
    }

    @Test
    void smallMessagesOfFewRanksShareOneSize() {
        Plan plan = packets(8);
        assertEquals(4096, slot(plan, 4));
        assertEquals(4096, slot(plan, 4096));
        assertEquals(8192, slot(plan, 4100));
    }

    /** A page holds several slots then: a launch touches all of them. */
    @Test
    void slotsOfSmallMessagesOfManyRanksAreSmall() {
        Plan plan = packets(64);
        assertEquals(512, slot(plan, 4));
        assertEquals(512, slot(plan, 512));
        assertEquals(1024, slot(plan, 516));
        assertEquals(128 << 10, ScratchSize.mostBytes(plan, slot(plan, 4)));
    }
}

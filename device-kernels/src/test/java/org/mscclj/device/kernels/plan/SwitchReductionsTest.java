package org.mscclj.device.kernels.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.preference.SwitchReductions;

/** What programs are chosen by, and what kernels do. */
class SwitchReductionsTest {
    private static final int FIRST_ARCHITECTURE = 900;

    @Test
    void theyHaveAnInstructionOnEveryGpuWithASwitch() {
        for (DataType type : DataType.values()) {
            for (ReduceOp.Kind operation : ReduceOp.Kind.values()) {
                boolean everywhere = SwitchInstruction.of(type, operation.combiner())
                        .filter(instruction -> instruction.architecture() <= FIRST_ARCHITECTURE)
                        .isPresent();
                assertEquals(everywhere, SwitchReductions.include(type, operation), () -> operation + " of " + type);
            }
        }
    }
}

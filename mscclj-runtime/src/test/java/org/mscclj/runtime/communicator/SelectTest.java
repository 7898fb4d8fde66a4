package org.mscclj.runtime.communicator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;
import org.mscclj.plan.json.PlanWriter;

class SelectTest {
    /** Buffers that share memory in another way are no case for it. */
    @Test
    void aPlanThatWorksInPlaceServesItsOwnPart() {
        Plan plan = PlanReader.read(
                PlanWriter.write(ShippedProgram.SCRATCH.plan(
                        ProgramSpec.of(Collective.ALLGATHER, 2).inPlace(true))),
                "a test");
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).backend("host"))) {
            group.run(communicator -> {
                communicator.plans().register(plan);
                DeviceBuffer all = communicator.allocate(64);
                int rank = communicator.rank();
                assertEquals(
                        plan,
                        communicator.select(
                                Collective.ALLGATHER, all.slice(32 * rank, 32), all, DataType.INT8, ReduceOp.NOP));
                assertThrows(
                        UnsupportedException.class,
                        () -> communicator.select(
                                Collective.ALLGATHER, all.slice(32 - 32 * rank, 32), all, DataType.INT8, ReduceOp.NOP));
            });
        }
    }
}

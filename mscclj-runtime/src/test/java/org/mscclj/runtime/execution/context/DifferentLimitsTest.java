package org.mscclj.runtime.execution.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.execution.PlanExecutor;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.environment.ExecutorOptions;

/** Ranks that would lay out their scratch differently find out before anything runs. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DifferentLimitsTest {
    private static final Plan PLAN = ShippedProgram.SCRATCH.plan(ProgramSpec.of(Collective.ALLREDUCE, 2));

    private static PlanExecutor executor(ExecutionEnvironment environment, long scratchLimit) {
        return new PlanExecutor(environment.withOptions(new ExecutorOptions(scratchLimit, 1)));
    }

    @Test
    void slotsOfDifferentSizesAreRefusedOnEveryRank() throws Exception {
        try (RankEnvironments ranks = new RankEnvironments(2, 2)) {
            ranks.run(environment -> {
                try (PlanExecutor executor =
                        executor(environment, environment.control().rank() == 0 ? 1 << 20 : 1 << 16)) {
                    String message = assertThrows(
                                    InvalidArgumentException.class,
                                    () -> executor.setUp(PLAN, DataType.INT32, ReduceOp.Kind.SUM, 8 << 20))
                            .getMessage();
                    assertEquals(
                            "ranks lay out the scratch of plan allreduce_scratch_2ranks differently: ranks [0]:"
                                    + " slots of"
                                    + " 262144 bytes; ranks [1]: slots of 16384 bytes; MSCCLJ_SCRATCH_LIMIT,"
                                    + " the plan and"
                                    + " its size must be equal on all ranks",
                            message);
                }
            });
        }
    }

    /** Which contexts there are is equal on all ranks, so that a message that fits all limits can follow. */
    @Test
    void afterwardsASizeWithEqualSlotsIsSetUp() throws Exception {
        try (RankEnvironments ranks = new RankEnvironments(2, 2)) {
            ranks.run(environment -> {
                try (PlanExecutor executor =
                        executor(environment, environment.control().rank() == 0 ? 1 << 20 : 1 << 16)) {
                    assertThrows(
                            InvalidArgumentException.class,
                            () -> executor.setUp(PLAN, DataType.INT32, ReduceOp.Kind.SUM, 8 << 20));
                    assertEquals(
                            4096,
                            executor.setUp(PLAN, DataType.INT32, ReduceOp.Kind.SUM, 64)
                                    .context()
                                    .slotBytes());
                    environment.control().barrier(Topic.named("all have set up"));
                }
            });
        }
    }
}
